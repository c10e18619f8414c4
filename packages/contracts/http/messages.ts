/** Messages of the contact page and the help centre: sent by visitors, answered by administrators. */
import { z } from 'zod'
import { addresses } from '../addresses.ts'
import { callsPer, contract } from '../route.ts'
import { oneLine, paragraphs } from '../rules/text.ts'
import { Done, Id } from './common.ts'

export const InquiryType = z.enum(
  ['booking', 'existing', 'cancellation', 'group', 'business', 'special', 'technical', 'feedback', 'other'],
  'Please choose what your message is about',
)
export type InquiryType = z.infer<typeof InquiryType>

const Email = z.email('Please enter a valid email address').max(254)
/** As typed; whether there is such a booking is not checked. */
const Reference = oneLine(20).optional()
const Message = paragraphs(5000, 'Please enter your message')

export const Contact = z
  .object({
    firstName: oneLine(100, 'First name is required'),
    lastName: oneLine(100, 'Last name is required'),
    email: Email,
    phone: oneLine(40).optional(),
    inquiryType: InquiryType,
    destination: oneLine(100).optional(),
    reference: Reference,
    message: Message,
    preferredContact: z.enum(['email', 'phone']).default('email'),
    consent: z.literal(true, 'Please agree to the privacy policy'),
  })
  .refine(({ preferredContact, phone }) => preferredContact !== 'phone' || phone, {
    path: ['phone'],
    message: 'Please enter the phone number that we may call',
  })
export type Contact = z.infer<typeof Contact>

export const SupportRequest = z.object({
  fullName: oneLine(200, 'Full name is required'),
  email: Email,
  reference: Reference,
  subject: oneLine(150, 'Subject is required'),
  message: Message,
})
export type SupportRequest = z.infer<typeof SupportRequest>

export const MessageState = z.enum(['new', 'answered'])
export type MessageState = z.infer<typeof MessageState>

/** What a visitor sent, as it is stored. */
export const ContactMessage = z.object({
  id: z.string(),
  from: z.enum(['contact', 'support']),
  brandKey: z.string(),
  receivedAt: z.string(),
  name: z.string(),
  email: z.string(),
  phone: z.string().nullable(),
  preferredContact: z.enum(['email', 'phone']),
  /** Of the contact page; null for the help centre. */
  inquiryType: InquiryType.nullable(),
  destination: z.string().nullable(),
  reference: z.string().nullable(),
  /** Of the help centre; null for the contact page. */
  subject: z.string().nullable(),
  message: z.string(),
})
export type ContactMessage = z.infer<typeof ContactMessage>

export const AdminMessage = ContactMessage.extend({
  state: MessageState,
  /** The acknowledgement to the sender: queued, sent, or not sent because this address got enough of them that day. */
  acknowledged: z.boolean(),
  answers: z.array(z.object({ at: z.string(), by: z.string(), text: z.string() })),
  /** User id of who marked it as answered, and when. */
  answeredBy: z.string().nullable(),
  answeredAt: z.string().nullable(),
})
export type AdminMessage = z.infer<typeof AdminMessage>

const MessagePage = z.object({
  /** Newest first. */
  messages: z.array(AdminMessage),
  /** For `before` of the next page; null: there is none. */
  next: z.string().nullable(),
  counts: z.object({ new: z.int(), answered: z.int() }),
})
export type MessagePage = z.infer<typeof MessagePage>

/** The two forms differ in their fields only. */
const sending = {
  access: 'public',
  response: Done,
  status: 201,
  errors: ['VALIDATION_ERROR', 'RATE_LIMITED'],
  failure: 'Unable to send your message',
  limits: callsPer(3600, { network: 20, session: 5 }),
} as const
const adminErrors = ['VALIDATION_ERROR', 'NOT_AUTHENTICATED', 'FORBIDDEN'] as const
const adminLimits = callsPer(60, { network: 600, session: 60 })

export const messagesApi = contract('brand', {
  sendContact: {
    ...addresses.messages.sendContact,
    ...sending,
    summary: 'Send the form of the contact page: it is stored, mailed to the agency and acknowledged to the sender',
    body: Contact,
  },
  sendSupportRequest: {
    ...addresses.messages.sendSupportRequest,
    ...sending,
    summary: 'Send the form of the help centre, with the same effect',
    body: SupportRequest,
  },
  listMessages: {
    ...addresses.messages.listMessages,
    access: 'admin',
    byBrand: true,
    summary: 'Messages of all brands, newest first',
    query: z.object({
      state: MessageState.optional(),
      brandKey: z.string().max(253).optional(),
      before: Id.optional(),
      limit: z.coerce.number().int().min(1).max(100).default(25),
    }),
    response: MessagePage,
    errors: adminErrors,
  },
  getMessage: {
    ...addresses.messages.getMessage,
    access: 'admin',
    byBrand: true,
    summary: 'One message',
    params: z.object({ id: Id }),
    response: AdminMessage,
    errors: [...adminErrors, 'MESSAGE_NOT_FOUND'],
  },
  setMessageState: {
    ...addresses.messages.setMessageState,
    access: 'admin',
    byBrand: true,
    summary: 'Mark a message as answered, for example by phone, or as new again',
    params: z.object({ id: Id }),
    body: z.object({ state: MessageState }),
    response: AdminMessage,
    errors: [...adminErrors, 'MESSAGE_NOT_FOUND'],
    limits: adminLimits,
  },
  answerMessage: {
    ...addresses.messages.answerMessage,
    access: 'admin',
    byBrand: true,
    summary: 'Mail an answer to the sender, with the message quoted below it, and mark the message as answered',
    params: z.object({ id: Id }),
    body: z.object({ text: paragraphs(5000, 'Please enter your answer') }),
    response: AdminMessage,
    errors: [...adminErrors, 'MESSAGE_NOT_FOUND', 'RATE_LIMITED'],
    limits: adminLimits,
  },
  messagesOf: {
    method: 'POST',
    path: '/internal/messages/of',
    access: 'internal',
    callers: ['gateway'],
    summary: 'The messages that were sent with this address, for the copy of an account’s data',
    body: z.object({ email: Email }),
    response: z.array(ContactMessage),
  },
})
