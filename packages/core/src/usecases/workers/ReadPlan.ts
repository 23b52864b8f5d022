import { pollIntervalMs } from "./pollLoop.ts"

/** The longest that what was announced waits for the next read, in milliseconds, however long the last one took. */
const maxRestMs = 250

/** Of more queues than these the worker reads all: one statement that looks at each running scan. */
const maxNamed = 100

/**
 * Says when a worker reads which of its queues. All of them at each poll, since a notification may be lost; between
 * polls it reads only queues that were announced, now or for a later time. All times are milliseconds since
 * 1970.
 *
 * While the worker has other work, it reads a tenth of its time at most: what it is told of is then read together.
 */
export class ReadPlan<Name> {
  readonly #keyOf: (name: Name) => string
  #pollsAt = 0
  #restsUntil = 0
  /** Whether there may be work anywhere. */
  #anywhere = false
  /** Queues to read before the next poll, with the time of each. */
  readonly #named = new Map<string, { readonly name: Name; readonly ms: number }>()

  /** `keyOf` tells queues apart. */
  constructor(keyOf: (name: Name) => string) {
    this.#keyOf = keyOf
  }

  /** Has all queues read: there may be work in any. */
  readAll(): void {
    this.#anywhere = true
  }

  /** Has one queue read at this time, or before. */
  readAt(name: Name, ms: number): void {
    const key = this.#keyOf(name)
    if (ms < (this.#named.get(key)?.ms ?? Infinity)) this.#named.set(key, { name, ms })
  }

  /** When the next read is due. */
  findNext(isBusy: boolean): number {
    const told = this.#anywhere ? 0 : Math.min(...[...this.#named.values()].map(({ ms }) => ms))
    return Math.min(this.#pollsAt, isBusy ? Math.max(told, this.#restsUntil) : told)
  }

  /** What is to be read now, which is planned no more; null = nothing. */
  take(nowMs: number, isBusy: boolean): "all" | ReadonlyArray<Name> | null {
    if (nowMs < this.findNext(isBusy)) return null
    const due = [...this.#named.values()].flatMap(({ ms, name }) => ms <= nowMs ? [name] : [])
    for (const name of due) this.#named.delete(this.#keyOf(name))
    if (nowMs < this.#pollsAt && !this.#anywhere && due.length <= maxNamed) return due
    this.#anywhere = false
    this.#pollsAt = nowMs + pollIntervalMs
    return "all"
  }

  /** Notes how long a read took. */
  recordRead(fromMs: number, toMs: number): void {
    this.#restsUntil = fromMs + Math.min(10 * (toMs - fromMs), maxRestMs)
  }

  /** Has all queues read next: what a read should have found is not known. */
  recordFailure(): void {
    this.#pollsAt = 0
  }
}
