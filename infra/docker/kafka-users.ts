/** The users of Kafka: one for each service that says or hears something, and one for the broker itself and for its operators. */

export const busServices = ['booking', 'payment', 'identity', 'brand'] as const
export type BusService = (typeof busServices)[number]

/** The content of the broker's JAAS file. Passwords hold no character that would need quoting. */
export function kafkaUsers(passwords: Record<BusService | 'admin', string>): string {
  const users = Object.entries(passwords).map(([name, password]) => `  user_${name}="${password}"`)
  return `KafkaServer {
  org.apache.kafka.common.security.plain.PlainLoginModule required
  username="admin"
  password="${passwords.admin}"
${users.join('\n')};
};
`
}
