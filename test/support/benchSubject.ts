/** Processes that benchmarks measure: each says `ready`, then runs a round for every line it is sent. */
import { spawn } from "node:child_process"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { onTestFinished } from "vitest"

/** What a round took. */
export interface Round {
  readonly ms: number
  readonly statements: number
  readonly cpuMs: number
  readonly rssMb: number
}

/** Starts the script for the length of a test; what it gives runs one round. */
export const subject = async (
  script: URL,
  args: ReadonlyArray<string>,
  env: Readonly<Record<string, string>>
): Promise<() => Promise<Round>> => {
  const child = spawn(process.execPath, [fileURLToPath(script), ...args], {
    env: { ...process.env, ...env },
    stdio: ["pipe", "pipe", "inherit"]
  })
  onTestFinished(() => void child.kill())
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  await lines.next() // ready
  return async () => {
    child.stdin.write("go\n")
    return JSON.parse((await lines.next()).value ?? "null") as Round
  }
}
