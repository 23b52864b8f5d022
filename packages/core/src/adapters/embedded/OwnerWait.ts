/**
 * How long a client waits for a process that opens the database. Opening takes a second, or minutes on a busy machine,
 * after a kill or with a large log. The client waits as long as the process makes progress, but at most `MAX_WAIT_MS`
 * (10 minutes).
 */
import * as fs from "node:fs"

/** What a waiting client reports: the process that it waits for, if known, and how long it has waited. */
export interface OwnerDelay {
  readonly dataDir: string
  readonly pid: number | null
  readonly log: string
  readonly waitedMs: number
}

/** When a client first reports that it is waiting, and how often it repeats the report. */
export const waitNotice = { firstMs: 10_000, againMs: 60_000 } as const

/** Maximum time that a client waits, whatever the process does. */
export const MAX_WAIT_MS = 600_000
/** How often a client checks the process. */
const LOOK_MS = 1_000
/** CPU time that counts as progress, in milliseconds. A process that only waits uses less in the quiet time. */
const PROGRESS_MS = 100
/** The kernel counts CPU time in hundredths of a second on every architecture that Node supports. */
const TICK_MS = 10

/**
 * The CPU time of a process in milliseconds, and whether the process waits for the disk. Undefined if the process does
 * not exist or the system does not report this.
 */
const readWork = (pid: number): { readonly cpuMs: number; readonly onDisk: boolean } | undefined => {
  try {
    const text = fs.readFileSync(`/proc/${pid}/stat`, "utf8")
    // The second field is the program's name, which may contain spaces and parentheses
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ")
    return { cpuMs: (Number(fields[11]) + Number(fields[12])) * TICK_MS, onDisk: fields[0] === "D" }
  } catch {
    return undefined
  }
}

/** Whether a process exists, on systems without /proc. */
const livesUnseen = (pid: number): boolean => {
  if (fs.existsSync("/proc/self/stat")) return false
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/**
 * One client's wait for one greeting. It ends after `quietMs` in which none of the candidate processes has made
 * progress, and after `MAX_WAIT_MS` in any case.
 */
export class OwnerWait {
  readonly #begun = Date.now()
  readonly #quietMs: number
  readonly #known = new Map<number, number>()
  #active = Date.now()
  #looked = 0

  constructor(quietMs: number) {
    this.#quietMs = quietMs
  }

  get waitedMs(): number {
    return Date.now() - this.#begun
  }

  /** Checks the processes, at most once a second, and says whether the wait is over. */
  isOver(pids: () => ReadonlyArray<number>): boolean {
    const now = Date.now()
    if (now - this.#looked >= LOOK_MS) {
      this.#looked = now
      if (pids().some((pid) => this.#works(pid))) this.#active = now
    }
    return now - this.#active > this.#quietMs || this.waitedMs > MAX_WAIT_MS
  }

  #works(pid: number): boolean {
    const work = readWork(pid)
    if (work === undefined) return livesUnseen(pid)
    const before = this.#known.get(pid)
    if (before !== undefined && work.cpuMs - before < PROGRESS_MS) return work.onDisk
    this.#known.set(pid, work.cpuMs)
    return before !== undefined
  }
}
