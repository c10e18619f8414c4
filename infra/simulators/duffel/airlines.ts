/** The airlines of the simulator: where they are at home, how far they fly, with what, and how they sell. */

/** The wire form of an airline. */
export type AirlineResource = {
  id: string
  name: string
  iata_code: string
  logo_symbol_url: string | null
  logo_lockup_url: string | null
  conditions_of_carriage_url: string | null
}

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
  wifi: 'free' | 'paid' | 'free or paid' | null
  /** Price of an extra bag in euro cents per passenger and slice. */
  bag: number
  /** Airlines of one venture sell each other's flights under their own number. */
  venture: string | null
}

type Style = Airline['style']
const airline = (
  [code, name, country]: [string, string, string],
  hubs: string,
  reach: number,
  fleet: string,
  style: Style,
  price: number,
  more: Partial<Pick<Airline, 'premium' | 'first' | 'wifi' | 'bag' | 'venture'>> = {},
): Airline => ({
  code,
  name,
  country,
  hubs: hubs.split(' '),
  reach,
  fleet: fleet.split(' '),
  style,
  price,
  premium: more.premium ?? false,
  first: more.first ?? false,
  wifi: more.wifi === undefined ? 'paid' : more.wifi,
  bag: more.bag ?? 4000,
  venture: more.venture ?? null,
})

const premium = true
const first = true

export const airlines: Airline[] = [
  airline(['ZZ', 'Duffel Airways', 'GB'], 'LHR', 15_500, '320 32Q 789', 'duffel', 1.02, { premium, bag: 2000 }),
  airline(['AF', 'Air France', 'FR'], 'CDG ORY', 14_000, 'E90 223 320 332 359 77W', 'network', 1.08, {
    premium,
    first,
    wifi: 'free or paid',
    bag: 5500,
    venture: 'atlantic-blue',
  }),
  airline(['KL', 'KLM', 'NL'], 'AMS', 13_500, 'E90 738 32Q 333 789 77W', 'network', 1.04, {
    premium,
    wifi: 'free or paid',
    bag: 5500,
    venture: 'atlantic-blue',
  }),
  airline(['DL', 'Delta Air Lines', 'US'], 'JFK ATL BOS DTW MSP SLC SEA LAX', 13_500, 'CR9 223 321 752 339 359', 'american', 1.1, {
    premium,
    wifi: 'free',
    bag: 3500,
    venture: 'atlantic-blue',
  }),
  airline(['BA', 'British Airways', 'GB'], 'LHR LGW LCY', 15_000, 'E90 319 32N 789 35K 77W 388', 'network', 1.08, {
    premium,
    first,
    bag: 6000,
    venture: 'atlantic-red',
  }),
  airline(['IB', 'Iberia', 'ES'], 'MAD', 12_000, 'CR9 320 32Q 333 359', 'network', 0.98, { premium, bag: 5500, venture: 'atlantic-red' }),
  airline(['AA', 'American Airlines', 'US'], 'JFK PHL CLT MIA ORD DFW PHX LAX DCA', 13_000, 'CR9 319 738 32Q 788 77W', 'american', 1.06, {
    premium,
    first,
    bag: 3700,
    venture: 'atlantic-red',
  }),
  airline(['AY', 'Finnair', 'FI'], 'HEL', 12_500, 'E90 319 321 333 359', 'network', 0.97, { premium, bag: 5000, venture: 'atlantic-red' }),
  airline(['EI', 'Aer Lingus', 'IE'], 'DUB', 9_000, 'AT7 320 32Q 333', 'network', 0.93, { bag: 4500, venture: 'atlantic-red' }),
  airline(['LH', 'Lufthansa', 'DE'], 'FRA MUC', 13_800, 'CR9 319 32N 333 359 789', 'network', 1.07, {
    premium,
    first,
    wifi: 'free or paid',
    bag: 6000,
    venture: 'atlantic-yellow',
  }),
  airline(['LX', 'SWISS', 'CH'], 'ZRH GVA', 13_200, '223 320 321 333 77W', 'network', 1.09, {
    premium,
    first,
    bag: 6000,
    venture: 'atlantic-yellow',
  }),
  airline(['OS', 'Austrian Airlines', 'AT'], 'VIE', 11_500, 'E90 320 321 788', 'network', 1.0, {
    premium,
    bag: 5500,
    venture: 'atlantic-yellow',
  }),
  airline(['SN', 'Brussels Airlines', 'BE'], 'BRU', 9_500, '319 320 32N 333', 'network', 0.98, {
    premium,
    bag: 5000,
    venture: 'atlantic-yellow',
  }),
  airline(['UA', 'United Airlines', 'US'], 'EWR IAD ORD IAH DEN SFO LAX', 14_500, 'CR9 319 7M8 752 789 77W', 'american', 1.05, {
    premium,
    wifi: 'free or paid',
    bag: 3700,
    venture: 'atlantic-yellow',
  }),
  airline(['AC', 'Air Canada', 'CA'], 'YYZ YUL YVR', 13_500, 'E90 223 7M8 333 789 77W', 'network', 1.0, {
    premium,
    bag: 5000,
    venture: 'atlantic-yellow',
  }),
  airline(['TP', 'TAP Air Portugal', 'PT'], 'LIS OPO', 10_500, 'E90 320 32Q 339', 'network', 0.92, { bag: 5000 }),
  airline(['AZ', 'ITA Airways', 'IT'], 'FCO LIN', 11_500, '223 320 32Q 339 359', 'network', 0.94, { premium, bag: 5000 }),
  airline(['SK', 'SAS Scandinavian Airlines', 'SE'], 'CPH ARN OSL', 10_500, 'CR9 32N 32Q 333 359', 'network', 0.97, {
    premium,
    wifi: 'free or paid',
    bag: 4500,
  }),
  airline(['FI', 'Icelandair', 'IS'], 'KEF', 7_000, '7M8 752', 'network', 0.88, { wifi: 'free or paid', bag: 5000 }),
  airline(['LO', 'LOT Polish Airlines', 'PL'], 'WAW', 10_500, 'E90 738 7M8 789', 'network', 0.9, { premium, bag: 4500 }),
  airline(['TK', 'Turkish Airlines', 'TR'], 'IST', 15_500, '738 32Q 333 359 77W', 'gulf', 0.92, { wifi: 'free or paid', bag: 6000 }),
  airline(['A3', 'Aegean Airlines', 'GR'], 'ATH', 5_000, 'AT7 32N 32Q', 'network', 0.92, { bag: 4000 }),
  airline(['UX', 'Air Europa', 'ES'], 'MAD', 11_000, '738 789', 'network', 0.88, { bag: 5000 }),
  airline(['VY', 'Vueling', 'ES'], 'BCN ORY', 4_200, '320 32N', 'low-cost', 0.72, { wifi: null, bag: 3500 }),
  airline(['U2', 'easyJet', 'GB'], 'LGW LTN ORY LYS GVA MXP BER', 4_500, '319 320 32N', 'low-cost', 0.68, { wifi: null, bag: 3500 }),
  airline(['DY', 'Norwegian', 'NO'], 'OSL CPH ARN', 4_800, '738 7M8', 'low-cost', 0.74, { wifi: 'free or paid', bag: 3500 }),
  airline(['TO', 'Transavia France', 'FR'], 'ORY NTE LYS', 4_600, '738 32N', 'low-cost', 0.7, { wifi: null, bag: 3200 }),
  airline(['BF', 'French bee', 'FR'], 'ORY', 13_500, '359 35K', 'low-cost', 0.76, { premium, wifi: 'paid', bag: 6500 }),
  airline(['SS', 'Corsair International', 'FR'], 'ORY', 11_000, '339', 'network', 0.86, { premium, bag: 5500 }),
  airline(['TX', 'Air Caraïbes', 'FR'], 'ORY PTP FDF', 9_000, '333 359', 'network', 0.85, { premium, bag: 5500 }),
  airline(['UU', 'Air Austral', 'RE'], 'RUN', 11_000, '738 788 77W', 'network', 0.93, { bag: 5500 }),
  airline(['TN', 'Air Tahiti Nui', 'PF'], 'PPT', 10_500, '789', 'network', 1.0, { premium, bag: 5500 }),
  airline(['B6', 'JetBlue', 'US'], 'JFK BOS FLL MCO', 6_500, 'E90 320 32Q', 'american', 0.82, { wifi: 'free', bag: 3500 }),
  airline(['AS', 'Alaska Airlines', 'US'], 'SEA PDX SFO ANC', 6_000, 'E90 738 7M8', 'american', 0.93, { premium, bag: 3500 }),
  airline(['WS', 'WestJet', 'CA'], 'YYC YVR YYZ', 9_000, '738 7M8 789', 'american', 0.86, { premium, bag: 3800 }),
  airline(['AM', 'Aeroméxico', 'MX'], 'MEX', 11_000, 'E90 7M8 788', 'network', 0.92, { premium, bag: 4500 }),
  airline(['CM', 'Copa Airlines', 'PA'], 'PTY', 6_500, '738 7M8', 'network', 0.95, { wifi: null, bag: 4500 }),
  airline(['AV', 'Avianca', 'CO'], 'BOG', 9_500, '320 32N 788', 'network', 0.87, { bag: 4500 }),
  airline(['LA', 'LATAM Airlines', 'CL'], 'SCL LIM GRU', 12_500, '320 32N 788 789', 'network', 0.92, { premium, bag: 4500 }),
  airline(['AR', 'Aerolíneas Argentinas', 'AR'], 'AEP EZE', 11_500, 'E90 738 332', 'network', 0.9, { bag: 4500 }),
  airline(['EK', 'Emirates', 'AE'], 'DXB', 15_500, '77W 359 388', 'gulf', 1.04, { premium, first, wifi: 'free or paid', bag: 7000 }),
  airline(['QR', 'Qatar Airways', 'QA'], 'DOH', 15_500, '320 788 359 77W', 'gulf', 1.02, { wifi: 'free', bag: 7000 }),
  airline(['EY', 'Etihad Airways', 'AE'], 'AUH', 14_500, '320 789 35K', 'gulf', 0.94, { first, wifi: 'free or paid', bag: 6500 }),
  airline(['SV', 'Saudia', 'SA'], 'JED RUH', 13_000, '320 333 789', 'gulf', 0.84, { bag: 5500 }),
  airline(['GF', 'Gulf Air', 'BH'], 'BAH', 8_500, '32N 789', 'gulf', 0.84, { bag: 5000 }),
  airline(['RJ', 'Royal Jordanian', 'JO'], 'AMM', 10_500, '320 788', 'network', 0.88, { wifi: null, bag: 5000 }),
  airline(['MS', 'Egyptair', 'EG'], 'CAI', 11_500, '223 738 789', 'network', 0.8, { bag: 4500 }),
  airline(['AT', 'Royal Air Maroc', 'MA'], 'CMN', 9_500, 'AT7 738 789', 'network', 0.83, { bag: 4500 }),
  airline(['TU', 'Tunisair', 'TN'], 'TUN', 4_000, '320 32N', 'network', 0.78, { wifi: null, bag: 4000 }),
  airline(['AH', 'Air Algérie', 'DZ'], 'ALG', 7_000, 'AT7 738 332', 'network', 0.82, { wifi: null, bag: 4000 }),
  airline(['ET', 'Ethiopian Airlines', 'ET'], 'ADD', 13_000, '738 788 359', 'gulf', 0.82, { bag: 5500 }),
  airline(['KQ', 'Kenya Airways', 'KE'], 'NBO', 13_500, 'E90 738 788', 'network', 0.87, { wifi: null, bag: 5000 }),
  airline(['SA', 'South African Airways', 'ZA'], 'JNB', 10_500, '320 333', 'network', 0.88, { wifi: null, bag: 5000 }),
  airline(['MK', 'Air Mauritius', 'MU'], 'MRU', 10_500, 'AT7 339 359', 'network', 0.96, { wifi: null, bag: 5000 }),
  airline(['AI', 'Air India', 'IN'], 'DEL BOM', 14_500, '32N 788 77W', 'network', 0.83, { premium, wifi: null, bag: 5000 }),
  airline(['6E', 'IndiGo', 'IN'], 'DEL BOM BLR HYD', 6_000, 'AT7 32N 32Q', 'low-cost', 0.7, { wifi: null, bag: 3000 }),
  airline(['SQ', 'Singapore Airlines', 'SG'], 'SIN', 16_500, '7M8 78X 359 77W 388', 'network', 1.1, {
    premium,
    first,
    wifi: 'free',
    bag: 7000,
  }),
  airline(['TG', 'Thai Airways', 'TH'], 'BKK', 10_500, '320 359 77W', 'network', 0.94, { wifi: 'paid', bag: 5500 }),
  airline(['MH', 'Malaysia Airlines', 'MY'], 'KUL', 11_000, '738 333 359', 'network', 0.86, { wifi: 'free', bag: 5500 }),
  airline(['GA', 'Garuda Indonesia', 'ID'], 'CGK DPS', 12_500, '738 333 77W', 'network', 0.9, { wifi: 'paid', bag: 5500 }),
  airline(['VN', 'Vietnam Airlines', 'VN'], 'HAN SGN', 12_000, '321 789 359', 'network', 0.84, { wifi: null, bag: 5000 }),
  airline(['PR', 'Philippine Airlines', 'PH'], 'MNL', 13_500, '321 333 359', 'network', 0.87, { premium, bag: 5000 }),
  airline(['CX', 'Cathay Pacific', 'HK'], 'HKG', 13_500, '32Q 333 359 35K', 'network', 1.05, { premium, first, bag: 6500 }),
  airline(['CI', 'China Airlines', 'TW'], 'TPE', 13_000, '32Q 333 359', 'network', 0.92, { premium, bag: 5500 }),
  airline(['BR', 'EVA Air', 'TW'], 'TPE', 13_000, '321 789 77W', 'network', 0.95, { premium, bag: 5500 }),
  airline(['CA', 'Air China', 'CN'], 'PEK CTU', 13_000, '738 32N 333 789 77W', 'network', 0.78, { premium, wifi: null, bag: 5000 }),
  airline(['MU', 'China Eastern Airlines', 'CN'], 'PVG SHA', 13_000, '320 738 333 359', 'network', 0.76, {
    premium,
    wifi: null,
    bag: 5000,
  }),
  airline(['CZ', 'China Southern Airlines', 'CN'], 'CAN PKX', 13_500, '738 32N 333 789', 'network', 0.75, {
    premium,
    wifi: null,
    bag: 5000,
  }),
  airline(['NH', 'All Nippon Airways', 'JP'], 'HND NRT', 12_500, '738 32Q 78X 789 77W', 'network', 1.12, {
    premium,
    first,
    wifi: 'free',
    bag: 7000,
  }),
  airline(['JL', 'Japan Airlines', 'JP'], 'HND NRT KIX', 12_500, '738 788 789 35K', 'network', 1.12, {
    premium,
    first,
    wifi: 'free',
    bag: 7000,
  }),
  airline(['KE', 'Korean Air', 'KR'], 'ICN GMP', 13_000, '223 7M8 333 789 77W', 'network', 1.0, { first, wifi: 'paid', bag: 6000 }),
  airline(['OZ', 'Asiana Airlines', 'KR'], 'ICN GMP', 12_500, '321 333 359', 'network', 0.93, { wifi: 'paid', bag: 6000 }),
  airline(['QF', 'Qantas', 'AU'], 'SYD MEL BNE PER', 15_000, '738 333 789 388', 'network', 1.09, {
    premium,
    first,
    wifi: 'free',
    bag: 6000,
  }),
  airline(['VA', 'Virgin Australia', 'AU'], 'BNE SYD MEL', 4_800, '738 7M8', 'low-cost', 0.84, { bag: 4000 }),
  airline(['NZ', 'Air New Zealand', 'NZ'], 'AKL CHC', 14_500, 'AT7 32N 789', 'network', 1.02, { premium, wifi: 'free', bag: 5500 }),
  airline(['FJ', 'Fiji Airways', 'FJ'], 'NAN', 10_000, '7M8 333 359', 'network', 0.92, { wifi: null, bag: 5000 }),
]

const byCode = new Map(airlines.map((one) => [one.code, one]))

export const airlineOf = (code: string): Airline => {
  const found = byCode.get(code)
  if (!found) throw new Error(`no airline ${code}`)
  return found
}

const logos = 'https://assets.duffel.com/img/airlines/for-light-background'

const resources = new Map<string, AirlineResource>(
  airlines.map((one) => [
    one.code,
    {
      id: `arl_0000${one.code.toLowerCase()}`,
      name: one.name,
      iata_code: one.code,
      logo_symbol_url: one.style === 'low-cost' && one.code === 'TO' ? null : `${logos}/full-color-logo/${one.code}.svg`,
      logo_lockup_url: one.code === 'ZZ' ? null : `${logos}/full-color-lockup/${one.code}.svg`,
      conditions_of_carriage_url: null,
    },
  ]),
)

export const airlineResource = (code: string): AirlineResource => resources.get(code)!
export const airlineResources: AirlineResource[] = [...resources.values()]
