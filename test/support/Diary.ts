/** Processes that take part in standing work, and the one diary they write; see placementMember.ts. */
import { platformIds } from "@sov/core"
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { onTestFinished } from "vitest"
import { until, workspace } from "./sov.ts"

const member = fileURLToPath(new URL("placementMember.ts", import.meta.url))

/** What a worker keeps. */
export const names = [...platformIds.map((id) => `platform/${id}`), "sweeper"]

interface Line {
  readonly at: number
  readonly pid: number
  readonly what: string
  readonly name: string
}

export class Diary {
  /** All that the processes printed. */
  said = ""
  readonly #home: string
  readonly #file = join(workspace(), "diary")
  /** From when to when each process was killed or frozen. */
  readonly #away = new Map<number, { readonly from: number; to: number }>()

  constructor(home: string) {
    this.#home = home
    writeFileSync(this.#file, "")
  }

  /** Starts a process that takes part; its work needs `stopMs` to stop. It is ended with the test. */
  async start(stopMs = 0): Promise<ChildProcess> {
    const child = spawn(process.execPath, [member, this.#home, this.#file, String(stopMs), ...names], {
      stdio: ["ignore", "pipe", "pipe"]
    })
    onTestFinished(() => void child.kill("SIGKILL"))
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => this.said += String(text))
    await Promise.race([once(child.stdout, "data"), once(child, "exit")])
    if (child.exitCode !== null) throw new Error(`a member ended with ${child.exitCode}: ${this.said}`)
    return child
  }

  /** Sends a signal; from SIGKILL and SIGSTOP on the process's work counts as away, until SIGCONT. */
  signal(child: ChildProcess, signal: NodeJS.Signals): number {
    const now = Date.now()
    if (signal === "SIGKILL" || signal === "SIGSTOP") this.#away.set(child.pid!, { from: now, to: Infinity })
    else if (signal === "SIGCONT") this.#away.get(child.pid!)!.to = now
    child.kill(signal)
    return now
  }

  #isAway(pid: number, at: number): boolean {
    const { from, to } = this.#away.get(pid) ?? { from: Infinity, to: Infinity }
    return from <= at && at < to
  }

  lines(): ReadonlyArray<Line> {
    return readFileSync(this.#file, "utf8").trimEnd().split("\n").map((line) => {
      const [at, pid, what = "", name = ""] = line.split(" ")
      return { at: Number(at), pid: Number(pid), what, name }
    })
  }

  /** The process that runs each name now; those away count as running nothing. */
  holders(): ReadonlyMap<string, number> {
    const found = new Map<string, number>()
    for (const { name, pid, what } of this.lines()) {
      if (what === "start") found.set(name, pid)
      else if (found.get(name) === pid) found.delete(name)
    }
    for (const [name, pid] of found) if (this.#isAway(pid, Date.now())) found.delete(name)
    return found
  }

  /** Waits until every name runs, in `by` alone when it is given. Returns the time. */
  async placed(ms: number, by?: ChildProcess): Promise<number> {
    await until(
      () => {
        const holders = [...this.holders().values()]
        return holders.length === names.length && (by === undefined || holders.every((pid) => pid === by.pid))
      },
      ms,
      `every name runs; diary: ${JSON.stringify(this.lines())}`
    )
    return Date.now()
  }

  /** Each time a name began in one process while it still ran in another. */
  overlaps(): ReadonlyArray<Line & { readonly other: number }> {
    const running = new Map<string, number>()
    const found: Array<Line & { readonly other: number }> = []
    for (const line of this.lines()) {
      const { at, name, pid, what } = line
      const other = running.get(name)
      if (what === "stop" && other === pid) running.delete(name)
      if (what !== "start") continue
      if (other !== undefined && !this.#isAway(other, at)) found.push({ ...line, other })
      running.set(name, pid)
    }
    return found
  }
}
