/** Checks what must be true of a history of scans, whatever happened to workers, database and network. */
import { heartbeatIntervalMs, heartbeatTimeoutMs } from "@sov/core"

/**
 * One call to a platform, as recorded by the platform. Times are in milliseconds of one clock; `to` Infinity = the call
 * never ended.
 */
export interface Call {
  readonly platform: string
  readonly prompt: string
  /** Name of the worker that made the call. */
  readonly worker: string
  readonly from: number
  readonly to: number
  /** Whether the complete answer was sent; false = the client disconnected. */
  readonly answered: boolean
}

/** The final state of a scan in the database. */
export interface ScanFacts {
  readonly id: string
  readonly status: string
  readonly cells: number
  readonly answers: number
  /** Number of cells with more than one answer. */
  readonly doubles: number
  readonly seals: number
  readonly events: number
}

export interface History {
  /** Maximum number of calls that a platform may have in flight, from all workers together. */
  readonly limit: number
  /** The scan of each accepted start, by its Idempotency-Key. */
  readonly accepted: ReadonlyArray<string>
  readonly quotaUsed: number
  readonly scans: ReadonlyArray<ScanFacts>
  /** Problems that a check of the archive against its seals found, one per line. */
  readonly archiveProblems: ReadonlyArray<string>
  readonly calls: ReadonlyArray<Call>
  /** When workers were killed. */
  readonly kills: ReadonlyArray<{ readonly worker: string; readonly at: number }>
  /** When workers were asked to stop. */
  readonly stops: ReadonlyArray<{ readonly worker: string; readonly at: number }>
  /** When a worker was frozen or its connection to the database was disturbed; null = all workers were affected. */
  readonly outages: ReadonlyArray<{ readonly worker: string | null; readonly from: number; readonly to: number }>
}

/** Time that a sent answer needs to reach its worker and the archive. */
const onItsWayMs = 2_000

const countOf = <A>(all: ReadonlyArray<A>, which: (one: A) => boolean) => all.filter(which).length

/**
 * A worker that is silent for longer than this may be considered dead, because its last sign of life may be one
 * heartbeat old.
 */
const takenForDeadMs = heartbeatTimeoutMs - heartbeatIntervalMs

const scanFaults = ({ accepted, archiveProblems, quotaUsed, scans }: History) => [
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
  ...quotaUsed === accepted.length ? [] : [`${quotaUsed} quota units for ${accepted.length} accepted starts`],
  ...archiveProblems
]

/** Platforms that at some moment had more calls in flight than their limit allows. */
const limitFaults = ({ calls, limit }: History) =>
  [...Map.groupBy(calls, ({ platform }) => platform)].flatMap(([platform, its]) => {
    // In the same millisecond, ends come before beginnings
    const changes = its.flatMap(({ from, to }) => [[from, 1], [to, -1]] as const)
      .toSorted(([a, up], [b, other]) => a - b || up - other)
    let inFlight = 0
    const most = Math.max(...changes.map(([, change]) => inFlight += change))
    return most <= limit ? [] : [`${platform} had ${most} calls in flight, ${limit} are allowed`]
  })

type Span = Pick<History["outages"][number], "from" | "to">

const touch = (a: Span, b: Span) => a.from <= b.to + onItsWayMs && b.from <= a.to + onItsWayMs

/** When the worker would have been considered dead if another worker had looked. Consecutive outages count as one. */
const deadSpans = ({ outages }: History, worker: string): ReadonlyArray<Span> => {
  const spans: Array<Span & { readonly own: boolean }> = []
  const its = outages.filter((outage) => outage.worker === worker || outage.worker === null)
  for (const { from, to, worker: whose } of its.toSorted((a, b) => a.from - b.from)) {
    const [last, own] = [spans.at(-1), whose !== null]
    if (last === undefined || !touch(last, { from, to })) spans.push({ from, to, own })
    else spans[spans.length - 1] = { from: last.from, to: Math.max(last.to, to), own: last.own || own }
  }
  // While no worker could reach the database, none could look
  return spans.filter(({ from, own, to }) => own && to - from > takenForDeadMs)
}

/**
 * Whether something happened to the caller during the call, or while its answer was on its way into the archive. A
 * worker that is cut off keeps its answers, so only a worker that stopped or was considered dead is excused.
 */
const isExcused = (history: History, call: Call) => {
  const { kills, outages, stops } = history
  const ended = (ends: typeof kills, until: number) =>
    ends.some(({ at, worker }) => worker === call.worker && call.from <= at && at <= until + onItsWayMs)
  const met = outages.filter((outage) =>
    (outage.worker === null || outage.worker === call.worker) && touch(outage, call)
  )
  return ended(kills, call.to) || met.some(({ to }) => !call.answered || ended([...kills, ...stops], to)) ||
    deadSpans(history, call.worker).some((span) => touch(span, call))
}

const seconds = (ms: number): string => (ms / 1000).toFixed(1)

/** Questions that were asked again although nothing had happened to the process that asked first. */
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

/** How many calls were made in addition to the first one for each question. */
export const repeatsIn = ({ calls }: Pick<History, "calls">): number =>
  calls.length - new Set(calls.map(({ platform, prompt }) => `${platform} ${prompt}`)).size

const takeoverMs = 30_000

/** For each call interrupted by a kill, the milliseconds from the kill until the question was asked again. */
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
 * All violations in the history, one per line. Each accepted start must be one scan and one unit of the quota. Each
 * scan must be complete, with one answer per question, sealed and announced once. The archive must be complete and as
 * it was sealed. No platform may have more calls in flight than its limit. Calls interrupted by a kill must be repeated
 * within 30 seconds. Any other question may be asked again only if it was in flight when something happened to its
 * worker, or on its way into the archive when its worker stopped or was considered dead.
 */
export const checkHistory = (history: History): ReadonlyArray<string> => [
  ...scanFaults(history),
  ...limitFaults(history),
  ...repeatFaults(history),
  ...takeoverFaults(history)
]
