/** The airlines of the simulator: where they are at home, how far they fly, with what, and how they sell. */

/** The wire form of an airline. */
type AirlineResource = { id: string; name: string; iata_code: string; logo_symbol_url: string | null }

export type Airline = {
  code: string
  name: string
  country: string
  hubs: string[]
  /** Longest nonstop in km. */
  reach: number
  /** Aircraft codes from short to long distances. */
  fleet: string[]
  /** How it sells: brands and rules of its fares. */
  style: 'duffel' | 'network' | 'low-cost' | 'american' | 'gulf'
  /** Against the usual price of the distance. */
  price: number
  premium: boolean
  first: boolean
  wifi: string | null
  /** Price of an extra bag in euro cents per passenger and slice. */
  bag: number
  /** Airlines of one venture sell each other's flights under their own number. */
  venture: string | null
}

/** Code, name, country, hubs, reach, fleet, style, price, cabins besides economy and business, wifi, bag, venture. */
const table = `
ZZ | Duffel Airways | GB | LHR | 15500 | 320 32Q 789 | duffel | 1.02 | premium | paid | 2000 | -
AF | Air France | FR | CDG ORY | 14000 | E90 223 320 332 359 77W | network | 1.08 | premium first | free or paid | 5500 | atlantic-blue
KL | KLM | NL | AMS | 13500 | E90 738 32Q 333 789 77W | network | 1.04 | premium | free or paid | 5500 | atlantic-blue
DL | Delta Air Lines | US | JFK ATL BOS DTW MSP SLC SEA LAX | 13500 | CR9 223 321 752 339 359 | american | 1.1 | premium | free | 3500 | atlantic-blue
BA | British Airways | GB | LHR LGW LCY | 15000 | E90 319 32N 789 35K 77W 388 | network | 1.08 | premium first | paid | 6000 | atlantic-red
IB | Iberia | ES | MAD | 12000 | CR9 320 32Q 333 359 | network | 0.98 | premium | paid | 5500 | atlantic-red
AA | American Airlines | US | JFK PHL CLT MIA ORD DFW PHX LAX DCA | 13000 | CR9 319 738 32Q 788 77W | american | 1.06 | premium first | paid | 3700 | atlantic-red
AY | Finnair | FI | HEL | 12500 | E90 319 321 333 359 | network | 0.97 | premium | paid | 5000 | atlantic-red
EI | Aer Lingus | IE | DUB | 9000 | AT7 320 32Q 333 | network | 0.93 | - | paid | 4500 | atlantic-red
LH | Lufthansa | DE | FRA MUC | 13800 | CR9 319 32N 333 359 789 | network | 1.07 | premium first | free or paid | 6000 | atlantic-yellow
LX | SWISS | CH | ZRH GVA | 13200 | 223 320 321 333 77W | network | 1.09 | premium first | paid | 6000 | atlantic-yellow
OS | Austrian Airlines | AT | VIE | 11500 | E90 320 321 788 | network | 1.0 | premium | paid | 5500 | atlantic-yellow
SN | Brussels Airlines | BE | BRU | 9500 | 319 320 32N 333 | network | 0.98 | premium | paid | 5000 | atlantic-yellow
UA | United Airlines | US | EWR IAD ORD IAH DEN SFO LAX | 14500 | CR9 319 7M8 752 789 77W | american | 1.05 | premium | free or paid | 3700 | atlantic-yellow
AC | Air Canada | CA | YYZ YUL YVR | 13500 | E90 223 7M8 333 789 77W | network | 1.0 | premium | paid | 5000 | atlantic-yellow
TP | TAP Air Portugal | PT | LIS OPO | 10500 | E90 320 32Q 339 | network | 0.92 | - | paid | 5000 | -
AZ | ITA Airways | IT | FCO LIN | 11500 | 223 320 32Q 339 359 | network | 0.94 | premium | paid | 5000 | -
SK | SAS Scandinavian Airlines | SE | CPH ARN OSL | 10500 | CR9 32N 32Q 333 359 | network | 0.97 | premium | free or paid | 4500 | -
FI | Icelandair | IS | KEF | 7000 | 7M8 752 | network | 0.88 | - | free or paid | 5000 | -
LO | LOT Polish Airlines | PL | WAW | 10500 | E90 738 7M8 789 | network | 0.9 | premium | paid | 4500 | -
TK | Turkish Airlines | TR | IST | 15500 | 738 32Q 333 359 77W | gulf | 0.92 | - | free or paid | 6000 | -
A3 | Aegean Airlines | GR | ATH | 5000 | AT7 32N 32Q | network | 0.92 | - | paid | 4000 | -
UX | Air Europa | ES | MAD | 11000 | 738 789 | network | 0.88 | - | paid | 5000 | -
VY | Vueling | ES | BCN ORY | 4200 | 320 32N | low-cost | 0.72 | - | none | 3500 | -
U2 | easyJet | GB | LGW LTN ORY LYS GVA MXP BER | 4500 | 319 320 32N | low-cost | 0.68 | - | none | 3500 | -
DY | Norwegian | NO | OSL CPH ARN | 4800 | 738 7M8 | low-cost | 0.74 | - | free or paid | 3500 | -
TO | Transavia France | FR | ORY NTE LYS | 4600 | 738 32N | low-cost | 0.7 | - | none | 3200 | -
BF | French bee | FR | ORY | 13500 | 359 35K | low-cost | 0.76 | premium | paid | 6500 | -
SS | Corsair International | FR | ORY | 11000 | 339 | network | 0.86 | premium | paid | 5500 | -
TX | Air Caraïbes | FR | ORY PTP FDF | 9000 | 333 359 | network | 0.85 | premium | paid | 5500 | -
UU | Air Austral | RE | RUN | 11000 | 738 788 77W | network | 0.93 | - | paid | 5500 | -
TN | Air Tahiti Nui | PF | PPT | 10500 | 789 | network | 1.0 | premium | paid | 5500 | -
B6 | JetBlue | US | JFK BOS FLL MCO | 6500 | E90 320 32Q | american | 0.82 | - | free | 3500 | -
AS | Alaska Airlines | US | SEA PDX SFO ANC | 6000 | E90 738 7M8 | american | 0.93 | premium | paid | 3500 | -
WS | WestJet | CA | YYC YVR YYZ | 9000 | 738 7M8 789 | american | 0.86 | premium | paid | 3800 | -
AM | Aeroméxico | MX | MEX | 11000 | E90 7M8 788 | network | 0.92 | premium | paid | 4500 | -
CM | Copa Airlines | PA | PTY | 6500 | 738 7M8 | network | 0.95 | - | none | 4500 | -
AV | Avianca | CO | BOG | 9500 | 320 32N 788 | network | 0.87 | - | paid | 4500 | -
LA | LATAM Airlines | CL | SCL LIM GRU | 12500 | 320 32N 788 789 | network | 0.92 | premium | paid | 4500 | -
AR | Aerolíneas Argentinas | AR | AEP EZE | 11500 | E90 738 332 | network | 0.9 | - | paid | 4500 | -
EK | Emirates | AE | DXB | 15500 | 77W 359 388 | gulf | 1.04 | premium first | free or paid | 7000 | -
QR | Qatar Airways | QA | DOH | 15500 | 320 788 359 77W | gulf | 1.02 | - | free | 7000 | -
EY | Etihad Airways | AE | AUH | 14500 | 320 789 35K | gulf | 0.94 | first | free or paid | 6500 | -
SV | Saudia | SA | JED RUH | 13000 | 320 333 789 | gulf | 0.84 | - | paid | 5500 | -
GF | Gulf Air | BH | BAH | 8500 | 32N 789 | gulf | 0.84 | - | paid | 5000 | -
RJ | Royal Jordanian | JO | AMM | 10500 | 320 788 | network | 0.88 | - | none | 5000 | -
MS | Egyptair | EG | CAI | 11500 | 223 738 789 | network | 0.8 | - | paid | 4500 | -
AT | Royal Air Maroc | MA | CMN | 9500 | AT7 738 789 | network | 0.83 | - | paid | 4500 | -
TU | Tunisair | TN | TUN | 4000 | 320 32N | network | 0.78 | - | none | 4000 | -
AH | Air Algérie | DZ | ALG | 7000 | AT7 738 332 | network | 0.82 | - | none | 4000 | -
ET | Ethiopian Airlines | ET | ADD | 13000 | 738 788 359 | gulf | 0.82 | - | paid | 5500 | -
KQ | Kenya Airways | KE | NBO | 13500 | E90 738 788 | network | 0.87 | - | none | 5000 | -
SA | South African Airways | ZA | JNB | 10500 | 320 333 | network | 0.88 | - | none | 5000 | -
MK | Air Mauritius | MU | MRU | 10500 | AT7 339 359 | network | 0.96 | - | none | 5000 | -
AI | Air India | IN | DEL BOM | 14500 | 32N 788 77W | network | 0.83 | premium | none | 5000 | -
6E | IndiGo | IN | DEL BOM BLR HYD | 6000 | AT7 32N 32Q | low-cost | 0.7 | - | none | 3000 | -
SQ | Singapore Airlines | SG | SIN | 16500 | 7M8 78X 359 77W 388 | network | 1.1 | premium first | free | 7000 | -
TG | Thai Airways | TH | BKK | 10500 | 320 359 77W | network | 0.94 | - | paid | 5500 | -
MH | Malaysia Airlines | MY | KUL | 11000 | 738 333 359 | network | 0.86 | - | free | 5500 | -
GA | Garuda Indonesia | ID | CGK DPS | 12500 | 738 333 77W | network | 0.9 | - | paid | 5500 | -
VN | Vietnam Airlines | VN | HAN SGN | 12000 | 321 789 359 | network | 0.84 | - | none | 5000 | -
PR | Philippine Airlines | PH | MNL | 13500 | 321 333 359 | network | 0.87 | premium | paid | 5000 | -
CX | Cathay Pacific | HK | HKG | 13500 | 32Q 333 359 35K | network | 1.05 | premium first | paid | 6500 | -
CI | China Airlines | TW | TPE | 13000 | 32Q 333 359 | network | 0.92 | premium | paid | 5500 | -
BR | EVA Air | TW | TPE | 13000 | 321 789 77W | network | 0.95 | premium | paid | 5500 | -
CA | Air China | CN | PEK CTU | 13000 | 738 32N 333 789 77W | network | 0.78 | premium | none | 5000 | -
MU | China Eastern Airlines | CN | PVG SHA | 13000 | 320 738 333 359 | network | 0.76 | premium | none | 5000 | -
CZ | China Southern Airlines | CN | CAN PKX | 13500 | 738 32N 333 789 | network | 0.75 | premium | none | 5000 | -
NH | All Nippon Airways | JP | HND NRT | 12500 | 738 32Q 78X 789 77W | network | 1.12 | premium first | free | 7000 | -
JL | Japan Airlines | JP | HND NRT KIX | 12500 | 738 788 789 35K | network | 1.12 | premium first | free | 7000 | -
KE | Korean Air | KR | ICN GMP | 13000 | 223 7M8 333 789 77W | network | 1.0 | first | paid | 6000 | -
OZ | Asiana Airlines | KR | ICN GMP | 12500 | 321 333 359 | network | 0.93 | - | paid | 6000 | -
QF | Qantas | AU | SYD MEL BNE PER | 15000 | 738 333 789 388 | network | 1.09 | premium first | free | 6000 | -
VA | Virgin Australia | AU | BNE SYD MEL | 4800 | 738 7M8 | low-cost | 0.84 | - | paid | 4000 | -
NZ | Air New Zealand | NZ | AKL CHC | 14500 | AT7 32N 789 | network | 1.02 | premium | free | 5500 | -
FJ | Fiji Airways | FJ | NAN | 10000 | 7M8 333 359 | network | 0.92 | - | none | 5000 | -
`

const airlineIn = (row: string): Airline => {
  const [code, name, country, hubs, reach, fleet, style, price, cabins, wifi, bag, venture] = row.split(' | ') as [string, ...string[]] & {
    length: 12
  }
  return {
    code,
    name: name!,
    country: country!,
    hubs: hubs!.split(' '),
    reach: Number(reach),
    fleet: fleet!.split(' '),
    style: style as Airline['style'],
    price: Number(price),
    premium: cabins!.includes('premium'),
    first: cabins!.includes('first'),
    wifi: wifi === 'none' ? null : wifi!,
    bag: Number(bag),
    venture: venture === '-' ? null : venture!,
  }
}

export const airlines: Airline[] = table.trim().split('\n').map(airlineIn)

const byCode = new Map(airlines.map((one) => [one.code, one]))

export const airlineOf = (code: string): Airline => {
  const found = byCode.get(code)
  if (!found) throw new Error(`no airline ${code}`)
  return found
}

/**
 * Airlines whose frequent flyer numbers the owner of an offer takes: its own and its partners'. Low-cost airlines take none; Tunisair does
 * not say.
 */
export const loyaltyProgrammesOf = (code: string): string[] | null => {
  if (code === 'TU') return null
  const { style, venture } = airlineOf(code)
  if (style === 'low-cost') return []
  const partners = airlines.filter((one) => venture !== null && one.venture === venture && one.code !== code)
  return [code, ...partners.map((one) => one.code)]
}

const logos = 'https://assets.duffel.com/img/airlines/for-light-background/full-color-logo'

export const airlineResource = (code: string): AirlineResource => ({
  id: `arl_0000${code.toLowerCase()}`,
  name: airlineOf(code).name,
  iata_code: code,
  logo_symbol_url: code === 'TO' ? null : `${logos}/${code}.svg`,
})
