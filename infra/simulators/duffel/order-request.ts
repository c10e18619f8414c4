/** Reads the body of an order; what it says is not yet held against the offer. */
import { collectProblems, type Problems } from './errors.ts'
import { type Fields, onlyKnown, readList, readMetadata, readObject, readText } from './fields.ts'
import { isDate } from './local-time.ts'

export type OrderPassenger = {
  id: string
  title: string
  gender: string
  givenName: string
  familyName: string
  bornOn: string
  email: string
  phoneNumber: string
  infantPassengerId: string | null
  documents: { type: string; uniqueIdentifier: string; issuingCountryCode: string; expiresOn: string }[]
  loyalty: unknown[]
}

export type OrderRequest = {
  type: 'instant' | 'hold'
  offerId: string
  passengers: OrderPassenger[]
  services: { id: string; quantity: number }[]
  payments: { type: string; amount: string; currency: string }[]
  metadata: Record<string, string>
  users: string[]
}

const titles = ['mr', 'ms', 'mrs', 'miss', 'dr']
/** ASCII, Latin-1 Supplement and Latin Extended-A letters without Æ æ Ĳ ĳ Œ œ Þ ð, with space, hyphen and apostrophe. */
const namePattern = /^(?:(?![ÆæĲĳŒœÞð×÷])[A-Za-z\u00C0-\u017F '-]){1,20}$/
const emailPattern = /^[^\s@]+@[^\s@]+\.[^\s@]{2,}$/
const phonePattern = /^\+[1-9]\d{6,14}$/

/** @throws ApiError 422 with everything that is wrong before the offer is looked at. */
export const readOrderRequest = (data: Fields): OrderRequest => {
  const problems = collectProblems()
  onlyKnown(problems, data, ['type', 'selected_offers', 'passengers', 'services', 'payments', 'metadata', 'users'])
  const type = data.type === 'pay_later' ? 'hold' : data.type
  if (type === undefined || type === null) problems.add('validation_required', '/type', "Field 'type' can't be blank")
  else if (type !== 'instant' && type !== 'hold') problems.add('validation_inclusion', '/type', "Field 'type' must be instant or hold")
  const offers = readList(problems, data, 'selected_offers', [1, 1])
  if (offers.some((id) => typeof id !== 'string')) problems.add('validation_type', '/selected_offers', 'An offer id must be a string')
  const passengers = readList(problems, data, 'passengers', [1, 9]).map((one, at) => readPassenger(problems, one, `/passengers/${at}`))
  const services = data.services === undefined || data.services === null ? [] : readList(problems, data, 'services', [0, 200])
  const payments = readPayments(problems, data, type)
  const request = {
    type,
    offerId: offers[0],
    passengers,
    services: services.map((one, at) => readService(problems, one, `/services/${at}`)),
    payments,
    metadata: readMetadata(problems, data.metadata),
    users: (data.users as string[]) ?? [],
  }
  problems.refuse()
  checkSame(problems, request.passengers as OrderPassenger[])
  problems.refuse()
  return request as OrderRequest
}

const readPassenger = (problems: Problems, value: unknown, pointer: string): OrderPassenger | undefined => {
  const fields = readObject(problems, value, pointer)
  if (!fields) return undefined
  const known =
    'id title gender given_name family_name born_on email phone_number infant_passenger_id identity_documents loyalty_programme_accounts user_id'
  onlyKnown(problems, fields, known.split(' '), pointer)
  const text = (name: string) => readText(problems, fields, name, `${pointer}/${name}`)
  const shaped = (name: string, pattern: RegExp, code: string, message: string) => {
    const found = text(name)
    if (found !== undefined && !pattern.test(found)) problems.add(code, `${pointer}/${name}`, message)
    return found ?? ''
  }
  const name = (field: string) => {
    const found = text(field) ?? ''
    if (found.length > 20) problems.add('validation_length', `${pointer}/${field}`, `Field '${field}' should be at most 20 character(s)`)
    else if (found !== '' && !namePattern.test(found))
      problems.add('validation_format', `${pointer}/${field}`, `Field '${field}' has letters that airlines do not accept`)
    return found
  }
  const title = text('title') ?? ''
  if (title !== '' && !titles.includes(title))
    problems.add('invalid_passenger_title', `${pointer}/title`, `Field 'title' must be one of ${titles.join(', ')}`)
  const gender = text('gender') ?? ''
  if (gender !== '' && gender !== 'm' && gender !== 'f')
    problems.add('validation_inclusion', `${pointer}/gender`, "Field 'gender' must be m or f")
  const bornOn = text('born_on') ?? ''
  if (bornOn !== '' && !isDate(bornOn))
    problems.add('validation_format', `${pointer}/born_on`, "Field 'born_on' must be a date in the form YYYY-MM-DD")
  return {
    id: text('id') ?? '',
    title,
    gender,
    givenName: name('given_name'),
    familyName: name('family_name'),
    bornOn,
    email: shaped('email', emailPattern, 'invalid_email_address', "Field 'email' is not an e-mail address"),
    phoneNumber: shaped('phone_number', phonePattern, 'invalid_phone_number', "Field 'phone_number' is not in the E.164 form"),
    infantPassengerId: (fields.infant_passenger_id as string) ?? null,
    documents: readDocuments(problems, fields.identity_documents, `${pointer}/identity_documents`),
    loyalty: (fields.loyalty_programme_accounts as unknown[]) ?? [],
  }
}

const readDocuments = (problems: Problems, value: unknown, pointer: string): OrderPassenger['documents'] => {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value)) {
    problems.add('validation_type', pointer, "Field 'identity_documents' must be a list")
    return []
  }
  if (value.length > 1) problems.add('validation_length', pointer, "Field 'identity_documents' should have at most 1 item(s)")
  return value.slice(0, 1).flatMap((one, at) => {
    const fields = readObject(problems, one, `${pointer}/${at}`)
    if (!fields) return []
    onlyKnown(problems, fields, ['type', 'unique_identifier', 'issuing_country_code', 'expires_on'], `${pointer}/${at}`)
    const text = (name: string) => readText(problems, fields, name, `${pointer}/${at}/${name}`) ?? ''
    const document = {
      type: text('type'),
      uniqueIdentifier: text('unique_identifier'),
      issuingCountryCode: text('issuing_country_code'),
      expiresOn: text('expires_on'),
    }
    if (document.uniqueIdentifier !== '' && !/^[A-Za-z0-9]{4,20}$/.test(document.uniqueIdentifier))
      problems.add(
        'validation_format',
        `${pointer}/${at}/unique_identifier`,
        "Field 'unique_identifier' must have 4 to 20 letters and digits",
      )
    if (document.issuingCountryCode !== '' && !/^[A-Z]{2}$/.test(document.issuingCountryCode))
      problems.add(
        'validation_format',
        `${pointer}/${at}/issuing_country_code`,
        "Field 'issuing_country_code' must be an ISO 3166-1 alpha-2 code",
      )
    if (document.expiresOn !== '' && !isDate(document.expiresOn))
      problems.add('validation_format', `${pointer}/${at}/expires_on`, "Field 'expires_on' must be a date in the form YYYY-MM-DD")
    return [document]
  })
}

const readService = (problems: Problems, value: unknown, pointer: string) => {
  const fields = readObject(problems, value, pointer)
  if (!fields) return { id: '', quantity: 0 }
  onlyKnown(problems, fields, ['id', 'quantity'], pointer)
  const id = readText(problems, fields, 'id', `${pointer}/id`) ?? ''
  if (!Number.isInteger(fields.quantity) || (fields.quantity as number) < 1)
    problems.add('validation_inclusion', `${pointer}/quantity`, "Field 'quantity' must be a whole number from 1")
  return { id, quantity: fields.quantity as number }
}

const readPayments = (problems: Problems, data: Fields, type: unknown): OrderRequest['payments'] => {
  if (type === 'hold') {
    if (Array.isArray(data.payments) ? data.payments.length > 0 : data.payments !== undefined && data.payments !== null)
      problems.add('validation_length', '/payments', 'An order on hold takes no payments')
    return []
  }
  return readList(problems, data, 'payments', [1, 1]).map((value, at) => {
    const pointer = `/payments/${at}`
    const fields = readObject(problems, value, pointer)
    if (!fields) return { type: '', amount: '', currency: '' }
    onlyKnown(problems, fields, ['type', 'amount', 'currency'], pointer)
    const text = (name: string) => readText(problems, fields, name, `${pointer}/${name}`) ?? ''
    const payment = { type: text('type'), amount: text('amount'), currency: text('currency') }
    if (payment.type !== '' && payment.type !== 'balance')
      problems.add('validation_inclusion', `${pointer}/type`, "Field 'type' must be balance")
    if (payment.amount !== '' && !/^\d+(\.\d+)?$/.test(payment.amount))
      problems.add('validation_format', `${pointer}/amount`, "Field 'amount' must be a decimal")
    return payment
  })
}

const checkSame = (problems: Problems, passengers: OrderPassenger[]): void => {
  const ids = new Set<string>()
  const names = new Set<string>()
  for (const [at, passenger] of passengers.entries()) {
    const name = `${passenger.givenName} ${passenger.familyName}`.toLowerCase()
    if (ids.has(passenger.id)) problems.add('validation_unique', `/passengers/${at}/id`, "Field 'id' is there twice")
    if (names.has(name)) problems.add('duplicate_passenger_name', `/passengers/${at}`, 'Two passengers have the same name')
    ids.add(passenger.id)
    names.add(name)
  }
}
