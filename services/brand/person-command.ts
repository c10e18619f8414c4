/** What `make person` does here: messages that were sent with an address, and its newsletters. */
import { personCommand } from '@passerelle/kit/person-command'
import { z } from 'zod'
import { messageStore } from './messages/store.ts'
import { subscriberStore } from './newsletter/store.ts'

export const messagesOfPerson = personCommand('brand', z.object({}), (mongo) => {
  const [messages, subscribers] = [messageStore(mongo), subscriberStore(mongo)]
  return {
    async read(email) {
      const sent = await messages.allOf(email.toLowerCase())
      const subscriptions = await subscribers.ofPerson(email)
      return {
        messages: sent.map(({ version, emailKey, ...message }) => message),
        newsletters: subscriptions.map(({ brand, at }) => ({ brand, since: at })),
      }
    },

    async erase(email) {
      const [sent, newsletters] = [await messages.eraseOf(email.toLowerCase()), await subscribers.removePerson(email)]
      return `${sent} messages erased, ${newsletters} newsletters ended`
    },
  }
})
