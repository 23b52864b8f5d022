/** Counts what measuring and reading sources execute, in a process of its own; see `stepCounter.ts`. */
import { spawn } from "node:child_process"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import type { Shape } from "./growingTexts.ts"

/**
 * What is counted: measuring, measuring with reasons, reading an answer's sources from text and payload, or a server's
 * log; reading statements about a card; or whether few or many names that have changed may be in an answer.
 */
export type CountedWork = "measure" | "explain" | "sources" | "log" | "claims" | "fewNames" | "manyNames"

/** The greatest exponent of steps over size that counts as linear. */
export const maxExponent = 1.15

/** Counts steps until it is closed. */
export interface StepCounter {
  readonly count: (work: CountedWork, text: string) => Promise<number>
  readonly close: () => void
}

/** Starts a counter. */
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

/** The exponent of steps over size: 1 is linear, 2 quadratic. Sizes are in characters. */
export const findExponent = async (
  { count }: StepCounter,
  work: CountedWork,
  { make }: Pick<Shape, "make">,
  smaller = 2048
): Promise<number> => {
  const [short, long] = [make(smaller), make(4 * smaller)]
  return Math.log(await count(work, long) / await count(work, short)) / Math.log(long.length / short.length)
}
