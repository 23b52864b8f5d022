/** What must be true of a history of scans, whatever happened meanwhile to workers, database and network. */
import { heartbeatIntervalMs, heartbeatTimeoutMs } from "@sov/core"

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
  /** What a check of the archive against its seals found, a line each. */
  readonly archiveProblems: ReadonlyArray<string>
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

/** Who says nothing for longer than this may be taken for dead: its last sign may be a heartbeat old. */
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

type Span = Pick<History["outages"][number], "from" | "to">

const touch = (a: Span, b: Span) => a.from <= b.to + onItsWayMs && b.from <= a.to + onItsWayMs

/** When the worker was taken for dead, if anybody looked: trouble that follows upon trouble is one. */
const deadSpans = ({ outages }: History, worker: string): ReadonlyArray<Span> => {
  const spans: Array<Span & { readonly own: boolean }> = []
  const its = outages.filter((outage) => outage.worker === worker || outage.worker === null)
  for (const { from, to, worker: whose } of its.toSorted((a, b) => a.from - b.from)) {
    const [last, own] = [spans.at(-1), whose !== null]
    if (last === undefined || !touch(last, { from, to })) spans.push({ from, to, own })
    else spans[spans.length - 1] = { from: last.from, to: Math.max(last.to, to), own: last.own || own }
  }
  // While the database was away from all of them nobody could look
  return spans.filter(({ from, own, to }) => own && to - from > takenForDeadMs)
}

/**
 * Whether something happened to the caller while the call was in flight, or its answer on its way into the archive. A
 * worker that lives keeps its answers while it is cut off: only one that was taken for dead meanwhile, or ended, is
 * excused.
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
 * What is wrong with the history, a line each: each accepted start is one scan and one quota unit; each scan is
 * complete, with one answer a question, sealed and announced once; the archive is as it was sealed, and all of it is;
 * no platform had more in flight than it allows; what a kill cut is asked again within 30 seconds, and nothing else was
 * asked again but what was in flight when something happened to its worker, or on its way into the archive when its
 * worker ended or was taken for dead.
 */
export const checkHistory = (history: History): ReadonlyArray<string> => [
  ...scanFaults(history),
  ...limitFaults(history),
  ...repeatFaults(history),
  ...takeoverFaults(history)
]
