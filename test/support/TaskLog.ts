/**
 * Processes that share background tasks among themselves, and the log that all of them write; see placementProcess.ts.
 */
import { platformIds } from "@sov/core"
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { onTestFinished } from "vitest"
import { until, workspace } from "./sov.ts"

const script = fileURLToPath(new URL("placementProcess.ts", import.meta.url))

/**
 * The tasks of a worker, and 24 more. Chance decides which process gets a task: with the six tasks of a worker alone,
 * one of two processes would get none of them in 1 of 90 runs. All these tasks together are on 16 of the 20 shards;
 * each of two processes gets half of the shards.
 */
export const taskNames = [
  ...platformIds.map((id) => `platform/${id}`),
  "sweeper",
  ...Array.from({ length: 24 }, (_, n) => `task/${n}`)
]

interface Line {
  readonly at: number
  readonly pid: number
  readonly what: string
  readonly name: string
}

export class TaskLog {
  /** The output of all processes. */
  output = ""
  readonly #home: string
  readonly #file = join(workspace(), "tasks.log")
  /** When each process was killed or frozen, and when it continued. */
  readonly #down = new Map<number, { readonly from: number; to: number }>()

  constructor(home: string) {
    this.#home = home
    writeFileSync(this.#file, "")
  }

  /** Starts a process; its tasks take `stopMs` to stop. The process is killed when the test ends. */
  async start(stopMs = 0): Promise<ChildProcess> {
    const child = spawn(process.execPath, [script, this.#home, this.#file, String(stopMs), ...taskNames], {
      stdio: ["ignore", "pipe", "pipe"]
    })
    onTestFinished(() => void child.kill("SIGKILL"))
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => this.output += String(text))
    await Promise.race([once(child.stdout, "data"), once(child, "exit")])
    if (child.exitCode !== null) throw new Error(`a process ended with ${child.exitCode}: ${this.output}`)
    return child
  }

  /** Sends a signal to a process. After SIGKILL or SIGSTOP its tasks count as not running, until SIGCONT. */
  signal(child: ChildProcess, signal: NodeJS.Signals): number {
    const now = Date.now()
    if (signal === "SIGKILL" || signal === "SIGSTOP") this.#down.set(child.pid!, { from: now, to: Infinity })
    else if (signal === "SIGCONT") this.#down.get(child.pid!)!.to = now
    child.kill(signal)
    return now
  }

  #isDown(pid: number, at: number): boolean {
    const { from, to } = this.#down.get(pid) ?? { from: Infinity, to: Infinity }
    return from <= at && at < to
  }

  lines(): ReadonlyArray<Line> {
    return readFileSync(this.#file, "utf8").trimEnd().split("\n").map((line) => {
      const [at, pid, what = "", name = ""] = line.split(" ")
      return { at: Number(at), pid: Number(pid), what, name }
    })
  }

  /** The process that currently runs each task. Killed and frozen processes count as running nothing. */
  holders(): ReadonlyMap<string, number> {
    const found = new Map<string, number>()
    for (const { name, pid, what } of this.lines()) {
      if (what === "start") found.set(name, pid)
      else if (found.get(name) === pid) found.delete(name)
    }
    for (const [name, pid] of found) if (this.#isDown(pid, Date.now())) found.delete(name)
    return found
  }

  /** Number of running tasks in all processes; a task that runs in two processes counts twice. */
  runningCount(): number {
    const running = new Set<string>()
    for (const { name, pid, what } of this.lines()) {
      if (what === "start") running.add(`${pid} ${name}`)
      else running.delete(`${pid} ${name}`)
    }
    const now = Date.now()
    return [...running].filter((entry) => !this.#isDown(Number.parseInt(entry), now)).length
  }

  /** Waits until all tasks run; if `by` is given, until this process runs all of them. */
  async waitUntilAllRun(by?: ChildProcess): Promise<void> {
    await until(
      () => {
        const holders = [...this.holders().values()]
        return holders.length === taskNames.length && (by === undefined || holders.every((pid) => pid === by.pid))
      },
      60_000,
      `every name runs; log: ${JSON.stringify(this.lines())}`
    )
  }

  /** All cases in which a task started in one process while it still ran in another. */
  overlaps(): ReadonlyArray<Line & { readonly other: number }> {
    const running = new Map<string, number>()
    const found: Array<Line & { readonly other: number }> = []
    for (const line of this.lines()) {
      const { at, name, pid, what } = line
      const other = running.get(name)
      if (what === "stop" && other === pid) running.delete(name)
      if (what !== "start") continue
      if (other !== undefined && !this.#isDown(other, at)) found.push({ ...line, other })
      running.set(name, pid)
    }
    return found
  }
}
