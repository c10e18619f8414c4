/** The proxy in front of a system in containers. */
import { readFileSync } from 'node:fs'
import { brandHostApi } from '@passerelle/contracts/http/brand-host'
import { expect, test } from 'vitest'
import { parse } from 'yaml'

type Layer = { services: Record<string, { environment?: Record<string, string>; networks?: string[]; ports?: string[] }> }

test('the edge asks the brand service for leave, reaches no store, and is the one proxy that the gateway believes', () => {
  const text = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
  const { services } = parse(text('compose.edge.yml')) as Layer
  expect(text('infra/edge/Caddyfile')).toContain(`ask http://brand:8080${brandHostApi.routes.askForCertificate.path}\n`)
  expect(services.edge?.networks).toEqual(['edge'])
  expect(Object.keys(services).filter((name) => services[name]?.networks?.includes('edge'))).toEqual(['edge', 'gateway', 'brand'])
  expect(services.gateway?.environment).toMatchObject({ NODE_ENV: 'production', SECURE_COOKIES: 'true', TRUSTED_HOPS: '1' })
  for (const service of ['brand', 'booking', 'identity']) expect(services[service]?.environment?.PUBLIC_URL).toMatch(/^https:/)
})
