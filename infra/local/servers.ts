/** `make servers`, `make servers-stop`. */
import { keepFilesPrivate } from '@passerelle/servers/private-files'
import { missingServers, realServers, stopRealServers } from '@passerelle/servers/real-servers'

keepFilesPrivate()
const dataDir = process.env.DATA_DIR || '.data'

if (process.argv[2] === 'stop') {
  const stopped = await stopRealServers(dataDir)
  console.log(stopped.length > 0 ? `stopped: ${stopped.join(', ')}` : 'nothing of ours is running')
} else {
  const missing = missingServers()
  if (missing.length > 0) {
    console.error(`These servers are not on this machine:\n  ${missing.join('\n  ')}`)
    process.exit(1)
  }
  for (const [name, address] of Object.entries(await realServers(dataDir))) console.log(`${name}=${address}`)
}
process.exit(0)
