/** Makes certificates for tests: signed by themselves, of any names and dates. */
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'

export type TestCertificate = { cert: string; key: string }

const SEQUENCE = 0x30
const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'))
const ED25519 = () => der(SEQUENCE, oid('2b6570'))
const COMMON_NAME = '550403'
const ALTERNATIVE_NAMES = '551d11'

/** One value of X.690: its tag, its length and what is in it. */
function der(tag: number, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts)
  const { length } = body
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), body])
}
const bits = (bytes: Buffer) => der(0x03, Buffer.from([0]), bytes)
/** As YYMMDDhhmmssZ, which reaches to 2049. */
const time = (at: Date) => der(0x17, Buffer.from(`${at.toISOString().replace(/\D/g, '').slice(2, 14)}Z`))

/** @param names hosts that it is for, in ASCII */
export function makeCertificate(names: readonly string[], from: Date, to: Date): TestCertificate {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const name = der(SEQUENCE, der(0x31, der(SEQUENCE, oid(COMMON_NAME), der(0x0c, Buffer.from('A test')))))
  const hosts = der(SEQUENCE, ...names.map((host) => der(0x82, Buffer.from(host))))
  const signed = der(
    SEQUENCE,
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1]), randomBytes(8)),
    ED25519(),
    name,
    der(SEQUENCE, time(from), time(to)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, der(SEQUENCE, der(SEQUENCE, oid(ALTERNATIVE_NAMES), der(0x04, hosts)))),
  )
  const whole = der(SEQUENCE, signed, ED25519(), bits(sign(null, signed, privateKey)))
  const lines = whole.toString('base64').replace(/.{64}(?=.)/g, '$&\n')
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}
