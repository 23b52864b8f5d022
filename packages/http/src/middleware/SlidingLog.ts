/** An exact rate limit: at most `limit` events within any `windowMs`. Stores the times of the last `limit` events. */
export class SlidingLog {
  readonly #times: Float64Array
  readonly #windowMs: number
  /** Index of the oldest time, which the next event replaces. */
  #next = 0

  constructor(limit: number, windowMs: number) {
    this.#times = new Float64Array(limit).fill(-Infinity)
    this.#windowMs = windowMs
  }

  /**
   * Counts an event at `now` (milliseconds of a monotonic clock) and returns 0. If the limit is reached, counts nothing
   * and returns the milliseconds to wait.
   */
  take(now: number): number {
    const wait = this.#times[this.#next]! + this.#windowMs - now
    if (wait > 0) return wait
    this.#times[this.#next] = now
    this.#next = (this.#next + 1) % this.#times.length
    return 0
  }

  /** The number of events still allowed at `now`. */
  remaining(now: number): number {
    const { length } = this.#times
    // Times ascend from #next on: a binary search finds the first one that still counts
    let [low, high] = [0, length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#times[(this.#next + middle) % length]! + this.#windowMs > now) high = middle
      else low = middle + 1
    }
    return low
  }

  /** Milliseconds from `now` until all events are older than the window. */
  busyMs(now: number): number {
    const newest = this.#times[(this.#next + this.#times.length - 1) % this.#times.length]!
    return Math.max(0, newest + this.#windowMs - now)
  }

  /** Milliseconds until one more event is allowed than at `now`. */
  reliefMs(now: number): number {
    const { length } = this.#times
    const oldest = this.#times[(this.#next + this.remaining(now)) % length]!
    return this.remaining(now) === length ? 0 : Math.max(0, oldest + this.#windowMs - now)
  }
}

/** One log for each name, at most `maxLogs`; beyond that, the least recently used log is dropped. */
export class SlidingLogs {
  readonly #logs = new Map<string, SlidingLog>()
  readonly #limit: number
  readonly #windowMs: number
  readonly #maxLogs: number

  constructor(limit: number, windowMs: number, maxLogs: number) {
    this.#limit = limit
    this.#windowMs = windowMs
    this.#maxLogs = maxLogs
  }

  of(name: string): SlidingLog {
    const known = this.#logs.get(name)
    const log = known ?? new SlidingLog(this.#limit, this.#windowMs)
    // A Map keeps the order of insertion, so its first entry is the least recently used
    if (known !== undefined) this.#logs.delete(name)
    else if (this.#logs.size >= this.#maxLogs) this.#logs.delete(this.#logs.keys().next().value!)
    this.#logs.set(name, log)
    return log
  }
}
