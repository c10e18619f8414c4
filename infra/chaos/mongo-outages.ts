/** MongoDB killed again and again under a load. */
import { delay } from '@passerelle/kit/runtime'
import { killServer, realServers } from '@passerelle/servers/real-servers'
import { must, percentiles, say } from './campaign.ts'
import type { Journey, Load } from './load.ts'

/** Kills and starts the server `kills` times, ends the load, and returns the load's journeys. */
export async function killMongo(folder: string, kills: number, load: Load<Journey>, random: () => number): Promise<Journey[]> {
  const outages: number[] = []
  let underWay = 0
  for (let kill = 1; kill <= kills; kill++) {
    underWay += load.underWay()
    const began = performance.now()
    await killServer(folder, 'mongo')
    await delay(random() * 1500)
    await realServers(folder)
    outages.push(Math.round(performance.now() - began))
    await delay(3000 + random() * 4000)
    say(`kill ${kill}: away for ${outages.at(-1)} ms, journeys ${load.done.length}, under way ${load.underWay()}`)
  }
  const journeys = await load.stop()
  say(`outages (ms): ${outages.join(', ')}; journeys not started ${load.dropped}; ms of a journey`, percentiles(journeys))
  must('bookings were under way at the kills', underWay > 0, underWay)
  return journeys
}
