/** A service as a process of its own, or as several where it is to use more than one core. */
import type { z } from 'zod'
import { type BaseConfig, ConfigurationError, readConfiguration } from './configuration.ts'
import { setTimer } from './runtime.ts'
import { configurationOf, type ServiceDefinition, start } from './service.ts'
import { startWorkers, WORKER } from './workers.ts'

/** After draining: for the last answers and the work under way. Another process finishes what is cut off here. */
const HARD_EXIT_MS = 45_000

/** Runs one service as a process: SIGTERM drains it and SIGINT does not; both finish the work under way. */
export async function run<S extends z.ZodObject>(definition: ServiceDefinition<S>): Promise<void> {
  try {
    const config = readConfiguration(definition.name, configurationOf(definition), process.env) as unknown as BaseConfig
    const stop = config.WORKERS > 1 ? await runWorkers(definition.name, config) : await runService(definition)
    const shutDown = async (signal: 'SIGTERM' | 'SIGINT') => {
      setTimer(() => process.exit(1), HARD_EXIT_MS + config.DRAIN_MS).unref()
      await stop(signal)
      process.exit(0)
    }
    // A Ctrl-C in a terminal reaches a worker twice: from there and from the process that started it.
    process.on('SIGTERM', shutDown)
    process.on('SIGINT', shutDown)
    // The process that started this worker has been killed.
    process.once('disconnect', () => shutDown('SIGINT'))
  } catch (error) {
    process.stderr.write(`${error instanceof ConfigurationError ? error.message : error instanceof Error ? error.stack : String(error)}\n`)
    process.exit(1)
  }
}

type Stop = (signal: 'SIGTERM' | 'SIGINT') => Promise<void>

async function runService<S extends z.ZodObject>(definition: ServiceDefinition<S>): Promise<Stop> {
  const sharesPort = process.env[WORKER] !== undefined
  const service = await start(definition, process.env, { onFatal: () => process.exit(1), sharesPort })
  process.send?.({ adminUrl: service.adminUrl })
  return (signal) => service.stop({ drain: signal === 'SIGTERM' })
}

async function runWorkers(name: string, config: BaseConfig): Promise<Stop> {
  return (await startWorkers({ name, script: process.argv[1] ?? '', config, environment: process.env })).stop
}
