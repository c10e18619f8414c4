/** A browser and a system in words, from what a browser says of itself. Only names of a fixed list are kept, never its own text. */
import Bowser from 'bowser'

const BROWSERS = new Set<string>(Object.values(Bowser.BROWSER_MAP))
const SYSTEMS = new Set<string>(Object.values(Bowser.OS_MAP))
/** Their owners call them by the device and not by its system. */
const DEVICES = new Set(['iPhone', 'iPad'])
const LONGEST = 1000

/** "Chrome on Windows", "Safari on iPhone"; null when neither is known. */
export function deviceOf(userAgent: string | undefined): string | null {
  if (!userAgent) return null
  const { browser, os, platform } = Bowser.parse(userAgent.slice(0, LONGEST))
  const system = DEVICES.has(platform.model ?? '') ? platform.model : os.name
  const names = [
    BROWSERS.has(browser.name ?? '') ? browser.name : null,
    DEVICES.has(system ?? '') || SYSTEMS.has(system ?? '') ? system : null,
  ]
  return names.filter(Boolean).join(' on ') || null
}
