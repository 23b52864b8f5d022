/**
 * An exact rate limit: at most `limit` times in any `windowMs`. It stores the time of each of the last `limit` ones.
 */
export class SlidingLog {
  readonly #times: Float64Array
  readonly #windowMs: number
  /** Index of the oldest time, which the next one replaces. */
  #next = 0

  constructor(limit: number, windowMs: number) {
    this.#times = new Float64Array(limit).fill(-Infinity)
    this.#windowMs = windowMs
  }

  /**
   * Takes one at `now` (milliseconds of a monotonic clock) and returns 0, or takes none and returns how long to wait.
   */
  take(now: number): number {
    const wait = this.#times[this.#next]! + this.#windowMs - now
    if (wait > 0) return wait
    this.#times[this.#next] = now
    this.#next = (this.#next + 1) % this.#times.length
    return 0
  }

  /** How many may be taken at `now`. */
  remaining(now: number): number {
    const { length } = this.#times
    // Times ascend from #next on: binary search for the first that still counts
    let [low, high] = [0, length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#times[(this.#next + middle) % length]! + this.#windowMs > now) high = middle
      else low = middle + 1
    }
    return low
  }

  /** Milliseconds until nothing counts any more. */
  busyMs(now: number): number {
    const newest = this.#times[(this.#next + this.#times.length - 1) % this.#times.length]!
    return Math.max(0, newest + this.#windowMs - now)
  }

  /** Milliseconds until one more may be taken than at `now`. */
  reliefMs(now: number): number {
    const { length } = this.#times
    const oldest = this.#times[(this.#next + this.remaining(now)) % length]!
    return this.remaining(now) === length ? 0 : Math.max(0, oldest + this.#windowMs - now)
  }
}

/** One log for each name, at most `maxLogs`: then the least recently used is dropped. */
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
    // A Map is in the order of insertion: its first entry is the least recently used
    if (known !== undefined) this.#logs.delete(name)
    else if (this.#logs.size >= this.#maxLogs) this.#logs.delete(this.#logs.keys().next().value!)
    this.#logs.set(name, log)
    return log
  }
}
