import { defineConfig } from 'vitest/config'

/** Start none of the servers: on the emulators and on no others. */
const WITHOUT_SERVERS = [
  'infra/simulation/simulation.int.test.ts',
  'infra/simulators/**',
  'infra/emulators/**/{durability,server}.int.test.ts',
]
const onEmulators = !process.env.MONGO_URL && !process.env.TEST_SERVERS

// `unit` is pure and runs in milliseconds; `checks` reads the repository; `integration` starts real HTTP, buses and stores.
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['{packages,services,gateway,infra,web}/**/*.test.{ts,tsx}'],
          exclude: ['**/node_modules/**', '**/*.int.test.ts', 'infra/checks/**', 'infra/k8s/**'],
        },
      },
      {
        test: {
          name: 'checks',
          include: ['infra/{checks,k8s}/**/*.test.ts'],
        },
      },
      {
        test: {
          name: 'integration',
          include: ['{packages,services,gateway,infra}/**/*.int.test.ts'],
          exclude: ['**/node_modules/**', ...(onEmulators ? [] : WITHOUT_SERVERS)],
          testTimeout: 30_000,
          hookTimeout: 60_000,
          maxWorkers: 2,
          globalSetup: ['infra/servers/test/vitest-servers.ts'],
          env: { KAFKAJS_NO_PARTITIONER_WARNING: '1' },
          execArgv: ['--disable-warning=TimeoutNegativeWarning'],
        },
      },
    ],
  },
})
