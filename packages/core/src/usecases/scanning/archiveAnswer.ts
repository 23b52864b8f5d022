import { Effect } from "effect"
import { type Answer, toArchivableText } from "../../domain/archive/Answer.ts"
import { type ArchivedAnswer, type Capture, provenanceFromAnswer } from "../../domain/archive/ArchiveRow.ts"
import { hashLeaf } from "../../domain/archive/Seal.ts"
import { AnswerId, ChargeId, type OrganizationId } from "../../domain/ids.ts"
import { type Asked, sentMarket, surfaceOf } from "../../domain/platforms/surface.ts"
import type { Cell } from "../../domain/scanning/Cell.ts"
import {
  captureUnreadable,
  captureWithSources,
  captureWithUnreadSources,
  toStoredAnswer
} from "../../domain/sources/captureAnswer.ts"
import { AnalysisError, AnswerAnalysis } from "../../ports/AnswerAnalysis.ts"
import type { AnswerPlatform } from "../../ports/AnswerPlatform.ts"
import { ArchiveStore } from "../../ports/ArchiveStore.ts"
import { MeasurementStore, type StoredMeasurement } from "../../ports/MeasurementStore.ts"
import { ScanStore } from "../../ports/ScanStore.ts"
import type { StoreError } from "../../ports/StoreError.ts"
import { Transaction } from "../../ports/Transaction.ts"
import { UsageStore } from "../../ports/UsageStore.ts"
import { sealAnswers } from "../archive/sealAnswers.ts"
import { noteFailure } from "../measuring/measurePage.ts"
import { archiveDeadline, type Measurable, type Measurer } from "../measuring/measureStored.ts"
import { newId } from "../newId.ts"
import { now } from "../now.ts"
import { newCharge } from "../platforms/newCharge.ts"

/** The answer in the form in which it is stored, with the time of the insert, even after an outage of the database. */
const makeArchivedAnswer = Effect.fnUntraced(function*(
  id: AnswerId,
  platform: AnswerPlatform,
  cell: Cell,
  answer: Answer,
  capture: Capture
) {
  const model = toArchivableText(answer.model)
  const shown = {
    id,
    scanId: cell.scanId,
    platform: cell.platform,
    keywordId: cell.keywordId,
    promptUsed: cell.prompt,
    rawResponse: toArchivableText(answer.text),
    createdAt: yield* now
  }
  const row: ArchivedAnswer = {
    ...shown,
    capture,
    cellId: cell.id,
    sample: cell.sample,
    payload: answer.payload,
    leafHash: hashLeaf({ ...shown, provenance: provenanceFromAnswer({ model, simulated: answer.simulated, capture }) }),
    adapter: platform.adapter,
    model,
    latencyMs: Math.round(answer.latencyMs),
    finish: answer.finish,
    usage: answer.usage,
    citations: answer.citations,
    simulated: answer.simulated
  }
  return row
})

/**
 * The surface and view of the answer; null for a simulated or recorded answer of the standard view, for which there is
 * nothing to state.
 */
const askedOf = ({ adapter }: AnswerPlatform, { view }: Cell, { market }: Answer): Asked | null => {
  const surface = surfaceOf(adapter)
  const sent = market ?? (view === undefined ? null : sentMarket(view, { country: false, language: false }))
  return surface === null && view === undefined ? null : { surface, view: view?.name ?? null, market: sent }
}

/** If measuring fails, the answer must not be lost: the scan's completion measures it later. */
const leaveUnmeasuredOnFailure = Effect.catchCause((cause) =>
  Effect.as(Effect.logDebug("an answer is archived unmeasured, and is measured at completion", cause), null)
)

/** Measures an answer before it is archived; returns null, or the reason, if it must be archived unmeasured. */
const measureForArchive = ({ measure }: Measurer, answer: Measurable) =>
  measure(answer).pipe(Effect.catchTag("AnalysisError", Effect.succeed), leaveUnmeasuredOnFailure)

/** Derives the sources of an answer before it is archived. A fault of a reader must not lose the answer. */
const captureForArchive = Effect.fnUntraced(function*(id: AnswerId, adapter: string, answer: Answer) {
  const { deriveSources } = yield* AnswerAnalysis
  return yield* deriveSources(toStoredAnswer(adapter, answer), archiveDeadline).pipe(
    Effect.map((found) => captureWithSources(answer, found)),
    Effect.catchTag("AnalysisError", ({ message, reason }) =>
      Effect.as(
        Effect.logWarning(`answer ${id} is archived without its sources (${reason}): ${message}`),
        reason === "failed" ? captureUnreadable(answer) : captureWithUnreadSources(answer)
      )),
    Effect.catchCause((cause) =>
      Effect.as(Effect.logWarning("an answer is archived without its sources", cause), captureUnreadable(answer))
    )
  )
})

/** Stores the cost of a second answer to a cell; does nothing if this same answer was archived before. */
const chargeDuplicate = Effect.fnUntraced(function*(organizationId: OrganizationId, row: ArchivedAnswer) {
  if (row.simulated || (yield* (yield* ArchiveStore).find(organizationId, row.id)) !== null) return
  const { platform, scanId, usage } = row
  const charge = yield* newCharge({ scanId, platform, kind: "unanswered", usage })
  // The charge has the answer's own id, so that it is stored once however often the write is repeated
  yield* (yield* UsageStore).charge(organizationId, { ...charge, id: ChargeId.make(row.id) })
})

/**
 * Stores an answer whose cell ended while its call was in flight, usually because its scan was cancelled. If the scan
 * is sealed, the answer gets its own seal and is measured by the rules, because the judge reads only running scans. The
 * lock waits for a process that is sealing the scan. If another process has archived an answer of the same cell, the
 * cost of this answer is stored as a charge.
 */
const archiveLateAnswer = Effect.fnUntraced(function*(
  organizationId: OrganizationId,
  row: ArchivedAnswer,
  { byRules, measurement }: {
    readonly measurement: StoredMeasurement | null
    /** The measurement by the rules; also present for an answer that waits for the judge. */
    readonly byRules: StoredMeasurement | null
  }
) {
  const [answers, measurements, scans] = yield* Effect.all([ArchiveStore, MeasurementStore, ScanStore])
  const { run } = yield* Transaction
  yield* run(Effect.gen(function*() {
    if (!(yield* answers.append(organizationId, row))) return yield* chargeDuplicate(organizationId, row)
    const scan = (yield* scans.lock(organizationId, row.scanId))!
    const kept = scan.status === "running" ? measurement : byRules
    if (kept !== null) yield* leaveUnmeasuredOnFailure(run(measurements.insert(organizationId, [kept])))
    if (scan.status === "running") return
    yield* sealAnswers(organizationId, scan, scan.status, [{ id: row.id, hash: row.leafHash }], row.createdAt)
  }))
})

/**
 * Archives the answer to a cell with its measurement and completes the cell. `persist` runs the write, and may repeat
 * it after a failure of unknown outcome: the answer is stored only once.
 */
export const archiveAnswer = Effect.fnUntraced(function*(
  { judged, measurer, organizationId, persist, platform }: {
    readonly organizationId: OrganizationId
    readonly platform: AnswerPlatform
    readonly measurer: Measurer
    /**
     * Whether there is a judge. An answer that names the brand is then stored unmeasured, and the judge's task measures
     * it later.
     */
    readonly judged: boolean
    readonly persist: <R>(write: Effect.Effect<void, StoreError, R>) => Effect.Effect<void, StoreError, R>
  },
  cell: Cell,
  answer: Answer
) {
  const answers = yield* ArchiveStore
  const id = yield* newId(AnswerId)
  const result = yield* measureForArchive(measurer, {
    answerId: id,
    promptUsed: cell.prompt,
    rawResponse: toArchivableText(answer.text)
  })
  const byRules = result instanceof AnalysisError ? null : result
  const measurement = judged && byRules?.brandMentioned === true ? null : byRules
  const asked = askedOf(platform, cell, answer)
  const captured = yield* captureForArchive(id, platform.adapter, answer)
  const capture = asked === null ? captured : { ...captured, asked }
  const write = Effect.gen(function*() {
    const row = yield* makeArchivedAnswer(id, platform, cell, answer, capture)
    const archived = yield* answers.archive(organizationId, row, measurement).pipe(
      Effect.catchIf(
        (error) => !error.retryable && measurement !== null,
        () => answers.archive(organizationId, row, null)
      )
    )
    if (!archived) yield* archiveLateAnswer(organizationId, row, { measurement, byRules })
  })
  yield* persist(write)
  if (result instanceof AnalysisError) {
    yield* Effect.ignore(noteFailure({ organizationId, trackedSetVersion: measurer.set.version }, id, result))
  }
})
