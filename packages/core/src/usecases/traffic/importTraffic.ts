/** Counts the AI traffic in a web server's log. */
import { Effect, Result, Schema, Stream } from "effect"
import type { OrganizationId } from "../../domain/ids.ts"
import type { TrafficLine } from "../../domain/traffic/AiTraffic.ts"
import { makeClassifier, type TrafficSignal } from "../../domain/traffic/classify.ts"
import { makeLineIdentifier } from "../../domain/traffic/lineIds.ts"
import type { FieldNames } from "../../domain/traffic/logFields.ts"
import { type LogFormat, type LogTally, makeLogReader } from "../../domain/traffic/LogReader.ts"
import type { TrafficSources } from "../../domain/traffic/TrafficSources.ts"
import { TrackedSetStore } from "../../ports/TrackedSetStore.ts"
import { TrafficStore } from "../../ports/TrafficStore.ts"
import { runActs } from "../audit/recordActs.ts"

/** A log that cannot be read at all: its format is not recognised, its header lacks a column, or every line is bad. */
export class InvalidLog extends Schema.TaggedError<InvalidLog>()("InvalidLog", {
  message: Schema.String
}) {}

/** Number of requests by signal. Referrer signals and tag-only visits are never added together. */
export type SignalCounts = { readonly [S in TrafficSignal]: number }

/** The result of an import. */
export interface TrafficImport {
  readonly log: Readonly<LogTally>
  /** The counts of the entire log. */
  readonly found: SignalCounts
  /** The requests that had not been counted before and are counted now (in a dry run: would be counted). */
  readonly added: SignalCounts
  /** Whether the own site was known, from the brand's domains, `ownHosts` or the log's hosts. */
  readonly ownSite: boolean
}

/** Options for reading and counting a log. */
export interface TrafficImportOptions {
  readonly sources: TrafficSources
  /** By default the format is detected from the first lines. */
  readonly format?: LogFormat
  readonly fields?: FieldNames
  /** Hosts of the own site, in addition to the brand's domains. */
  readonly ownHosts?: ReadonlyArray<string>
  /** Only counts, and stores nothing. */
  readonly dryRun?: boolean
  /** Receives the counts of each stored batch. */
  readonly onAdded?: (added: SignalCounts) => void
}

/** Number of counted lines per store call. */
const batchSize = 16_384

const makeSignalCounts = (): { [S in TrafficSignal]: number } => ({ referrer: 0, tag: 0, crawler: 0 })

/**
 * Reads one log to its end and counts the AI traffic in it; the brand's domains are the own site. Lines that were
 * counted before are skipped, so the import can be interrupted at any time and repeated, and the log may have grown, or
 * been rotated or compressed. Bad lines are counted and do not fail the import. Fails with InvalidLog. Memory does not
 * grow with the log.
 */
export const importTraffic = Effect.fn("importTraffic")(function*<E, R>(
  organizationId: OrganizationId,
  log: Stream.Stream<Uint8Array, E, R>,
  options: TrafficImportOptions
) {
  const store = yield* TrafficStore
  const set = yield* (yield* TrackedSetStore).current(organizationId)
  const ownHosts = [...set?.brand.domains ?? [], ...options.ownHosts ?? []]
  const classify = makeClassifier(options.sources, ownHosts)
  const idOf = makeLineIdentifier()
  const found = makeSignalCounts()
  const added = makeSignalCounts()
  let waiting: Array<TrafficLine> = []
  let recorded = false

  const reader = makeLogReader(options, (request, line) => {
    const hit = classify(request)
    if (hit === null) return
    found[hit.signal]++
    waiting.push({ ...hit, time: request.time, id: idOf(line) })
  })
  const storeLines = Effect.gen(function*() {
    const lines = waiting
    waiting = []
    if (lines.length === 0) return
    const fresh = options.dryRun === true
      ? yield* store.listUncounted(organizationId, lines)
      : yield* runActs(
        organizationId,
        store.add(organizationId, lines, options.sources.version),
        (stored) =>
          recorded || stored.length === 0
            ? []
            : [{
              action: "traffic.import_started",
              subjectId: organizationId,
              detail: { sources: options.sources.version }
            }]
      )
    recorded ||= fresh.length > 0
    const counts = makeSignalCounts()
    for (const { signal } of fresh) counts[signal]++
    for (const [signal, count] of Object.entries(counts)) added[signal as TrafficSignal] += count
    options.onAdded?.(counts)
  })
  const failOnLogFault = (state: Result.Result<LogTally, string>) =>
    Result.isFailure(state) ? Effect.fail(new InvalidLog({ message: state.failure })) : Effect.succeed(state.success)

  yield* Stream.runForEach(
    log,
    Effect.fnUntraced(function*(chunk) {
      yield* failOnLogFault(reader.push(chunk))
      if (waiting.length >= batchSize) yield* storeLines
    })
  ).pipe(
    // If the log breaks off, the lines read so far are counted
    Effect.tapError(() => storeLines)
  )
  const tally = yield* failOnLogFault(reader.end())
  yield* storeLines
  if (tally.lines > 0 && tally.badLines === tally.lines) {
    return yield* new InvalidLog({
      message: `none of its ${tally.lines} lines can be read as ${tally.format}: ${tally.firstBad[0]?.reason}`
    })
  }
  return { log: tally, found, added, ownSite: ownHosts.length > 0 || tally.hosts } satisfies TrafficImport
})
