/** What `make export-person` and `make erase-person` do here: messages that were sent with an address, and its newsletters. */
import { createAudit } from '@passerelle/kit/audit'
import { personCommand } from '@passerelle/kit/person-command'
import { z } from 'zod'
import { messageStore } from './messages/store.ts'
import { subscriberStore } from './newsletter/store.ts'

export const messagesOfPerson = personCommand('brand', z.object({}), (mongo) => {
  const [messages, subscribers, audit] = [messageStore(mongo), subscriberStore(mongo), createAudit(mongo)]
  const kept = async (email: string) => [await messages.allOf(email.toLowerCase()), await subscribers.ofPerson(email)] as const
  return {
    async read({ email }, operator) {
      const [sent, subscriptions] = await kept(email)
      for (const { _id: subject, brandKey } of sent) await audit.record({ action: 'person-exported', subject, brandKey }, operator)
      for (const { number: subject, brand: brandKey } of subscriptions)
        await audit.record({ action: 'person-exported', subject, brandKey }, operator)
      return {
        messages: sent.map(({ version, emailKey, ...message }) => message),
        newsletters: subscriptions.map(({ brand, at }) => ({ brand, since: at })),
      }
    },

    async erase({ email }, apply, operator) {
      const [sent, subscriptions] = await kept(email)
      const words = `${sent.length} messages erased, ${subscriptions.length} newsletters ended`
      if (!apply) return words
      await messages.eraseOf(email.toLowerCase())
      await subscribers.removePerson(email)
      for (const { _id: subject, brandKey } of sent) await audit.record({ action: 'person-erased', subject, brandKey }, operator)
      for (const { number: subject, brand: brandKey } of subscriptions)
        await audit.record({ action: 'person-erased', subject, brandKey }, operator)
      return words
    },
  }
})
