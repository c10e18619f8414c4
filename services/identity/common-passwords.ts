/**
 * How soon a guesser who knows the common passwords, keyboard rows, dates and repetitions would come to a password. The lists take some
 * 60 ms and 10 MB to set up, so they are read for the first password that is chosen and not at the start.
 */
let estimator: Promise<(password: string) => number> | undefined

/** Only repetitions of something short are guessed soon beyond this length, and they are no less so when they are cut. */
const LONGEST = 48

async function setUp(): Promise<(password: string) => number> {
  const [{ ZxcvbnFactory }, { dictionary, adjacencyGraphs }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ])
  const zxcvbn = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs })
  return (password) => zxcvbn.check(password.slice(0, LONGEST)).guesses
}

/** The number of guesses until this password is found. */
export async function guessesFor(password: string): Promise<number> {
  estimator ??= setUp()
  return (await estimator)(password)
}
