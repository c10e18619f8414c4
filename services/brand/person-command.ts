/** What `make person` does here: messages that were sent with an address, and its newsletters. */
import { personCommand } from '@passerelle/kit/person-command'
import { z } from 'zod'
import { messageStore } from './messages/store.ts'
import { brandStore } from './store.ts'

export const messagesOfPerson = personCommand('brand', z.object({}), (mongo) => {
  const [messages, brands] = [messageStore(mongo), brandStore(mongo)]
  return {
    async read(email) {
      const sent = await messages.allOf(email.toLowerCase())
      const subscriptions = await brands.subscriptionsOf(email)
      return {
        messages: sent.map(({ version, emailKey, ...message }) => message),
        newsletters: subscriptions.map(({ brand, at }) => ({ brand, since: at })),
      }
    },

    async erase(email) {
      const [sent, newsletters] = [await messages.eraseOf(email.toLowerCase()), await brands.unsubscribe(email)]
      return `${sent} messages erased, ${newsletters} newsletters ended`
    },
  }
})
