import { pollIntervalMs } from "./pollLoop.ts"

/** Maximum time that an announced queue waits for the next read, in milliseconds, however long the last read took. */
const maxRestMs = 250

/** If more queues than this are announced, the worker reads all queues, with one statement over every running scan. */
const maxNamed = 100

/**
 * Decides when a worker reads which of its queues. Each poll reads all of them, because a notification may be lost;
 * between polls it reads only queues that were announced, for now or for a later time. All times are milliseconds since
 * 1970.
 *
 * While the worker has other work, it spends at most a tenth of its time on reads, so announcements are then read
 * together.
 */
export class ReadPlan<Name> {
  readonly #keyOf: (name: Name) => string
  #pollsAt = 0
  #restsUntil = 0
  /** Whether any of the queues may have work. */
  #anywhere = false
  /** Queues to read before the next poll, with the time of each. */
  readonly #named = new Map<string, { readonly name: Name; readonly ms: number }>()

  /** `keyOf` distinguishes the queues. */
  constructor(keyOf: (name: Name) => string) {
    this.#keyOf = keyOf
  }

  /** Plans a read of all queues, because any may have work. */
  readAll(): void {
    this.#anywhere = true
  }

  /** Plans a read of one queue at this time or earlier. */
  readAt(name: Name, ms: number): void {
    const key = this.#keyOf(name)
    if (ms < (this.#named.get(key)?.ms ?? Infinity)) this.#named.set(key, { name, ms })
  }

  /** When the next read is due. */
  findNext(isBusy: boolean): number {
    const told = this.#anywhere ? 0 : Math.min(...[...this.#named.values()].map(({ ms }) => ms))
    return Math.min(this.#pollsAt, isBusy ? Math.max(told, this.#restsUntil) : told)
  }

  /** Removes the queues to read now from the plan and returns them; null if no queue must be read. */
  take(nowMs: number, isBusy: boolean): "all" | ReadonlyArray<Name> | null {
    if (nowMs < this.findNext(isBusy)) return null
    const due = [...this.#named.values()].flatMap(({ ms, name }) => ms <= nowMs ? [name] : [])
    for (const name of due) this.#named.delete(this.#keyOf(name))
    if (nowMs < this.#pollsAt && !this.#anywhere && due.length <= maxNamed) return due
    this.#anywhere = false
    this.#pollsAt = nowMs + pollIntervalMs
    return "all"
  }

  /** Records how long a read took. */
  recordRead(fromMs: number, toMs: number): void {
    this.#restsUntil = fromMs + Math.min(10 * (toMs - fromMs), maxRestMs)
  }

  /** Plans a read of all queues next, because a read failed and its result is unknown. */
  recordFailure(): void {
    this.#pollsAt = 0
  }
}
