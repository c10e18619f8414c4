/** What an emulator answers to anything that the product does not use. */
export const notImplemented = (what: string): string => `not implemented here: ${what} (\`make servers\` starts the real server)`
