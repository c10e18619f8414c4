/** Which certificate answers on a host, in front of an entrance on loopback. */
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { makeCertificate } from '@passerelle/simulators/tls/certificate'
import { startTlsEntrance, type TlsEntrance } from '@passerelle/simulators/tls/server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { answerOf, certificates, isPublic, oneOf } from './certificates.ts'

const HOST = 'rivage.org'
const DAY_MS = 86_400_000
const day = (days: number) => new Date(Math.floor(Date.now() / DAY_MS + days) * DAY_MS)
const trusted = getCACertificates('default')

let entrance: TlsEntrance
beforeAll(async () => {
  entrance = await startTlsEntrance()
})
afterAll(async () => {
  setDefaultCACertificates(trusted)
  await entrance.stop()
})

const at = (address: string) => ({ host: '127.0.0.1', port: Number(address.split(':')[1]) })
const look = () => certificates(at(entrance.address)).look(HOST, [])

test('one that browsers take is valid to its end', async () => {
  const made = makeCertificate([HOST], day(-1), day(80))
  setDefaultCACertificates([...trusted, made.cert])
  entrance.certificates = { [HOST]: made }
  expect(await look()).toEqual({ state: 'valid', endsAt: day(80).toISOString() })
  expect(entrance.asked).toEqual([HOST])
})

test('one that no authority has signed is not trusted', async () => {
  entrance.certificates = { [HOST]: makeCertificate([HOST], day(-1), day(80)) }
  expect(await look()).toEqual({ state: 'untrusted', endsAt: day(80).toISOString() })
})

test.each([
  ['shop.example.net', 'other-name'],
  [`www.${HOST}`, 'other-name'],
  [`*.${HOST}`, 'other-name'],
  ['*.org', 'other-name'],
])('one of %s is of another name', async (name, state) => {
  entrance.certificates = { [HOST]: makeCertificate([name], day(-1), day(80)) }
  expect((await look())?.state).toBe(state)
})

test('one whose end has passed has ended, also where it was trusted', async () => {
  const made = makeCertificate([HOST], day(-90), day(-1))
  setDefaultCACertificates([...trusted, made.cert])
  entrance.certificates = { [HOST]: made }
  expect(await look()).toEqual({ state: 'ended', endsAt: day(-1).toISOString() })
})

test('none answers where the entrance has none, where nobody listens and where nobody speaks', async () => {
  const none = { state: 'none', endsAt: null }
  entrance.certificates = {}
  expect(await look()).toEqual(none)
  const silent = createServer((socket) => socket.resume()).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const to = { host: '127.0.0.1', port: (silent.address() as AddressInfo).port }
  expect(await certificates(to, 100).look(HOST, [])).toEqual(none)
  silent.close()
  await once(silent, 'close')
  expect(await certificates(to).look(HOST, [])).toEqual(none)
})

test('an address where nobody listens leaves the next one to answer, and the name of the host is not looked up', async () => {
  const { port } = at(entrance.address)
  entrance.certificates = { [HOST]: makeCertificate(['other.org'], day(-1), day(80)) }
  for (const addresses of [['127.0.0.1'], ['::1', '127.0.0.1'], ['127.0.0.2', '127.0.0.1']])
    expect((await answerOf(HOST, oneOf(HOST, addresses, port), 3000)).state).toBe('other-name')
})

test('addresses of this machine and of private networks are not asked', async () => {
  const closed = ['127.0.0.1', '10.1.2.3', '172.31.0.1', '192.168.1.1', '169.254.169.254', '100.64.0.1', '0.0.0.0', '224.0.0.1']
  const closed6 = ['::', '::1', 'fe80::1', 'fd00::1', '::ffff:127.0.0.1', '64:ff9b::a00:1', 'ff02::1', 'localhost', '']
  expect([...closed, ...closed6].filter(isPublic)).toEqual([])
  expect(['192.0.2.44', '172.32.0.1', '2001:db8:44::10'].filter((address) => !isPublic(address))).toEqual([])
  expect(await certificates(null).look(HOST, [...closed, ...closed6])).toBeNull()
})
