/** What `make start` tells when everything answers. */
import { groupCardNumber, TEST_CARD_NUMBER } from '@passerelle/contracts/rules/card'

type Announcement = {
  url: string
  dataDir: string
  startedMs: number
  servers: { mongo: string; kafka: string; redis: string }
  suppliers: { flights: string; cards: string; mail: string; live?: string }
  /** Shown at the first start of a data folder only. */
  adminPassword: string | null
}

export function announcement({ url, dataDir, startedMs, servers, suppliers, adminPassword }: Announcement): string {
  return `
Passerelle is running: ${url}   (started in ${Math.round(startedMs)} ms)

  MongoDB   ${servers.mongo}
  Kafka     ${servers.kafka}
  Redis     ${servers.redis}
  Flights   ${suppliers.flights}
  Cards     ${suppliers.cards}
  Mail      ${suppliers.mail}${suppliers.live ? `\n  Live      ${suppliers.live}` : ''}

  Test card      ${groupCardNumber(TEST_CARD_NUMBER)}, any future date, any CVV
  Administrator  ${adminPassword ? `admin / ${adminPassword}` : 'admin (the password was shown at the first start of this data folder)'}
  API            ${url}/api/docs
  Data           ${dataDir}
`
}
