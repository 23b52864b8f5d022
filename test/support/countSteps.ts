/** Counts the steps of measuring and of reading sources in a separate process; see `stepCounter.ts`. */
import { spawn } from "node:child_process"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import type { Shape } from "./growingTexts.ts"

/**
 * What is counted: measuring; measuring with reasons; reading sources from an answer's text and payload, or from a
 * server's log; reading statements about a card; or checking whether few or many changed names may occur in an answer.
 */
export type CountedWork = "measure" | "explain" | "sources" | "log" | "claims" | "fewNames" | "manyNames"

/** The largest exponent of steps over size that still counts as linear. */
export const maxExponent = 1.15

/** Counts steps until `close` is called. */
export interface StepCounter {
  readonly count: (work: CountedWork, text: string) => Promise<number>
  readonly close: () => void
}

/** Starts a process that counts steps. */
export const startStepCounter = (): StepCounter => {
  const script = fileURLToPath(new URL("./stepCounter.ts", import.meta.url))
  const child = spawn(process.execPath, [script], { stdio: ["pipe", "pipe", "inherit"] })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return {
    count: async (work, text) => {
      child.stdin.write(`${JSON.stringify([work, text])}\n`)
      const { value } = await lines.next()
      return Number(value)
    },
    close: () => child.stdin.end()
  }
}

/** The exponent with which the steps grow over the size: 1 is linear, 2 is quadratic. Sizes are in characters. */
export const findExponent = async (
  { count }: StepCounter,
  work: CountedWork,
  { make }: Pick<Shape, "make">,
  smaller = 2048
): Promise<number> => {
  const [short, long] = [make(smaller), make(4 * smaller)]
  return Math.log(await count(work, long) / await count(work, short)) / Math.log(long.length / short.length)
}
