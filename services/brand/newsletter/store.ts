/** Addresses that are signed up for a brand's newsletter. */
import { createModel, inAnyCase, isDuplicateKey } from '@passerelle/kit/mongo'
import { randomToken } from '@passerelle/kit/runtime'
import type { Connection } from 'mongoose'

export type Subscriber = {
  /** Brand and address: each is signed up once. */
  _id: string
  /** Names it where the address must not stand. */
  number: string
  email: string
  brand: string
  at: Date
  /** Of the link that ends it. It opens nothing else, and stands in every mail of the newsletter, so it is kept as it is. */
  secret: string
}

export type SubscriberStore = ReturnType<typeof subscriberStore>

export function subscriberStore(connection: Connection) {
  const subscribers = createModel<Subscriber>(connection, 'Subscriber', {
    collection: 'subscribers',
    fields: { _id: String, number: String, email: String, brand: String, at: Date, secret: String },
    indexes: [[{ number: 1 }], [{ secret: 1 }]],
  })
  return {
    /** Null: the address is signed up already. */
    async add(email: string, brand: string, at: Date): Promise<Subscriber | null> {
      const _id = `${brand}:${email.toLowerCase()}`
      const subscriber = { _id, number: randomToken('sub_', 12), email, brand, at, secret: randomToken('', 32) }
      try {
        await subscribers.create(subscriber)
        return subscriber
      } catch (error) {
        if (isDuplicateKey(error)) return null
        throw error
      }
    },

    ofPerson: (email: string) => subscribers.find({ email: inAnyCase(email) }).lean<Subscriber[]>(),

    /** How many there were. */
    removePerson: async (email: string): Promise<number> => (await subscribers.deleteMany({ email: inAnyCase(email) })).deletedCount,

    find: (number: string) => subscribers.findOne({ number }).lean<Subscriber>(),

    /** Nothing is left of the address. */
    async remove(secret: string): Promise<void> {
      await subscribers.deleteOne({ secret })
    },
  }
}
