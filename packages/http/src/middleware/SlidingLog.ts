/** At most `limit` times in any `windowMs`, exactly: it remembers when each of the last ones was. */
export class SlidingLog {
  readonly #times: Float64Array
  readonly #windowMs: number
  /** Where the next time goes; the one that stands there is the oldest. */
  #next = 0

  constructor(limit: number, windowMs: number) {
    this.#times = new Float64Array(limit).fill(-Infinity)
    this.#windowMs = windowMs
  }

  /** Takes one at `now`, milliseconds of a clock that never goes back; 0 when it may, else how long it has to wait. */
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
    // Times stand in order from #next on: the first that still counts is found by halving
    let [low, high] = [0, length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#times[(this.#next + middle) % length]! + this.#windowMs > now) high = middle
      else low = middle + 1
    }
    return low
  }

  /** Milliseconds until all that was taken is forgotten; 0 when nothing is remembered. */
  busyMs(now: number): number {
    const newest = this.#times[(this.#next + this.#times.length - 1) % this.#times.length]!
    return Math.max(0, newest + this.#windowMs - now)
  }

  /** Milliseconds until one more may be taken than now. */
  reliefMs(now: number): number {
    const { length } = this.#times
    const oldest = this.#times[(this.#next + this.remaining(now)) % length]!
    return this.remaining(now) === length ? 0 : Math.max(0, oldest + this.#windowMs - now)
  }
}

/** A log for each name; the longest unused is forgotten when there are too many. */
export class SlidingLogs {
  readonly #logs = new Map<string, SlidingLog>()
  readonly #limit: number
  readonly #windowMs: number
  readonly #most: number

  constructor(limit: number, windowMs: number, most: number) {
    this.#limit = limit
    this.#windowMs = windowMs
    this.#most = most
  }

  of(name: string): SlidingLog {
    const known = this.#logs.get(name)
    const log = known ?? new SlidingLog(this.#limit, this.#windowMs)
    // The order of a Map is that of insertion: the first is the longest unused
    if (known !== undefined) this.#logs.delete(name)
    else if (this.#logs.size >= this.#most) this.#logs.delete(this.#logs.keys().next().value!)
    this.#logs.set(name, log)
    return log
  }
}
