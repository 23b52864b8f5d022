/** Processes that benchmarks measure. Each prints `ready`, then runs a round for each line that it reads. */
import { spawn } from "node:child_process"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { onTestFinished } from "vitest"

/** What a round cost. */
export interface Round {
  readonly ms: number
  readonly statements: number
  readonly cpuMs: number
  readonly rssMb: number
}

/** Starts the script for the duration of a test; the returned function runs one round. */
export const startBenchProcess = async (
  script: URL,
  args: ReadonlyArray<string>,
  env: Readonly<Record<string, string>>
): Promise<(what?: string) => Promise<Round>> => {
  const child = spawn(process.execPath, [fileURLToPath(script), ...args], {
    env: { ...process.env, ...env },
    stdio: ["pipe", "pipe", "inherit"]
  })
  onTestFinished(() => void child.kill())
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  await lines.next() // ready, or what is logged before
  return async (what = "go") => {
    child.stdin.write(`${what}\n`)
    // Log lines of the product may come in between
    for (;;) {
      const line = (await lines.next()).value ?? "null"
      if (/^(\{|null)/.test(line)) return JSON.parse(line) as Round
    }
  }
}
