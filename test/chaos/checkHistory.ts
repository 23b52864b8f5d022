/** What must be true of a history of scans, whatever happened meanwhile to workers, database and network. */

/** One call of a platform, as the platform saw it. Times in milliseconds of one clock; `to` Infinity = never ended. */
export interface Call {
  readonly platform: string
  readonly prompt: string
  /** Who called. */
  readonly worker: string
  readonly from: number
  readonly to: number
  /** Whether the whole answer went out; false = the caller went away. */
  readonly answered: boolean
}

/** A scan as the database has it in the end. */
export interface ScanFacts {
  readonly id: string
  readonly status: string
  readonly cells: number
  readonly answers: number
  /** Cells with more than one answer. */
  readonly doubles: number
  readonly seals: number
  readonly events: number
}

export interface History {
  /** Calls that a platform may have in flight at once, from all workers together. */
  readonly limit: number
  /** The scan of each accepted start, by its Idempotency-Key. */
  readonly accepted: ReadonlyArray<string>
  readonly quotaUsed: number
  readonly scans: ReadonlyArray<ScanFacts>
  readonly calls: ReadonlyArray<Call>
  /** When workers were killed. */
  readonly kills: ReadonlyArray<{ readonly worker: string; readonly at: number }>
  /** When workers were told to end. */
  readonly stops: ReadonlyArray<{ readonly worker: string; readonly at: number }>
  /** When a worker was frozen or could not speak to the database as usual; null = all of them could not. */
  readonly outages: ReadonlyArray<{ readonly worker: string | null; readonly from: number; readonly to: number }>
}

/** An answer that was sent needs a moment to reach its worker and the archive. */
const onItsWayMs = 2_000

const countOf = <A>(all: ReadonlyArray<A>, which: (one: A) => boolean) => all.filter(which).length

const scanFaults = ({ accepted, quotaUsed, scans }: History) => [
  ...scans.flatMap(({ answers, cells, doubles, events, id, seals, status }) => [
    ...status === "completed" ? [] : [`scan ${id} is ${status}`],
    ...answers === cells ? [] : [`scan ${id} has ${answers} answers to ${cells} questions`],
    ...doubles === 0 ? [] : [`scan ${id} has ${doubles} questions with more than one answer`],
    ...seals === 1 ? [] : [`scan ${id} has ${seals} seals`],
    ...events === 1 ? [] : [`scan ${id} was announced ${events} times`]
  ]),
  ...accepted.flatMap((id) => {
    const found = countOf(scans, (scan) => scan.id === id)
    return found === 1 ? [] : [`the accepted start of ${id} made ${found} scans`]
  }),
  ...new Set(accepted).size === accepted.length ? [] : ["two accepted starts made one scan"],
  ...scans.length === accepted.length ? [] : [`${scans.length} scans for ${accepted.length} accepted starts`],
  ...quotaUsed === accepted.length ? [] : [`${quotaUsed} quota units for ${accepted.length} accepted starts`]
]

/** Platforms that had more calls in flight at a moment than their limit allows. */
const limitFaults = ({ calls, limit }: History) =>
  [...Map.groupBy(calls, ({ platform }) => platform)].flatMap(([platform, its]) => {
    // At the same millisecond an end comes before a beginning
    const changes = its.flatMap(({ from, to }) => [[from, 1], [to, -1]] as const)
      .toSorted(([a, up], [b, other]) => a - b || up - other)
    let inFlight = 0
    const most = Math.max(...changes.map(([, change]) => inFlight += change))
    return most <= limit ? [] : [`${platform} had ${most} calls in flight, ${limit} are allowed`]
  })

/**
 * Whether something happened to the caller while the call was in flight, or its answer on its way into the archive. When
 * the database was away from all, nobody could take over: a worker that lived keeps its answers until it is back.
 */
const isExcused = ({ kills, outages, stops }: History, { answered, from, to, worker }: Call) =>
  kills.some((kill) => kill.worker === worker && from <= kill.at && kill.at <= to + onItsWayMs) ||
  outages.some((outage) => {
    if (from > outage.to + onItsWayMs || outage.from > to + onItsWayMs) return false
    if (outage.worker !== null) return outage.worker === worker
    // Whoever ends meanwhile loses what it cannot archive any more
    return !answered ||
      [...kills, ...stops].some((end) => end.worker === worker && from <= end.at && end.at <= outage.to + onItsWayMs)
  })

const seconds = (ms: number): string => (ms / 1000).toFixed(1)

/** Questions that were asked again although nothing had happened to who asked first. */
const repeatFaults = (history: History) =>
  [...Map.groupBy(history.calls, ({ platform, prompt }) => `${platform} ${prompt}`)].flatMap(([question, its]) => {
    const inOrder = its.toSorted((a, b) => a.from - b.from)
    return inOrder.slice(0, -1).flatMap((call, n) =>
      isExcused(history, call) ? [] : [
        `${question} was asked again after ${call.worker} had ${call.answered ? "its answer" : "left it"} ` +
        `(${seconds(call.from)}–${seconds(call.to)}, again ${seconds(inOrder[n + 1]!.from)})`
      ]
    )
  })

/** How many calls were made beyond one for each question. */
export const repeatsIn = ({ calls }: Pick<History, "calls">): number =>
  calls.length - new Set(calls.map(({ platform, prompt }) => `${platform} ${prompt}`)).size

const takeoverMs = 30_000

/** From each kill to when what it cut was asked again, in milliseconds. */
export const takeoversIn = ({ calls, kills }: Pick<History, "calls" | "kills">): ReadonlyArray<number> =>
  kills.flatMap(({ at, worker }) =>
    calls.filter((call) => call.worker === worker && !call.answered && call.from <= at).map(({ platform, prompt }) =>
      Math.min(
        ...calls.filter((call) => call.platform === platform && call.prompt === prompt && call.from > at)
          .map(({ from }) => from)
      ) - at
    ).filter((ms) => ms !== Infinity)
  )

const takeoverFaults = (history: History) =>
  takeoversIn(history).filter((ms) => ms > takeoverMs).map((ms) => `what a kill had cut was asked again after ${ms} ms`)

/**
 * What is wrong with the history, a line each: each accepted start is one scan and one quota unit; each scan is complete,
 * with one answer a question, sealed and announced once; no platform had more in flight than it allows; what a kill cut is
 * asked again within 30 seconds, and nothing else was asked again but what was in flight, or on its way into the archive, when something happened to its worker.
 */
export const checkHistory = (history: History): ReadonlyArray<string> => [
  ...scanFaults(history),
  ...limitFaults(history),
  ...repeatFaults(history),
  ...takeoverFaults(history)
]
