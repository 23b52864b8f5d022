import { Effect } from "effect"
import { type AnswerCall, type AnswerNeighbour, describeAnswerChange } from "../../domain/archive/AnswerDetail.ts"
import type { ArchiveRow } from "../../domain/archive/ArchiveRow.ts"
import type { Sighting } from "../../domain/archive/capturedFile.ts"
import type { SealHeader } from "../../domain/archive/Seal.ts"
import type { AnswerId, OrganizationId } from "../../domain/ids.ts"
import { type HistoryWindow, isInWindow } from "../../domain/organizations/HistoryWindow.ts"
import type { Keyword } from "../../domain/tracking/Keyword.ts"
import { ArchiveStore } from "../../ports/ArchiveStore.ts"
import { KeywordStore } from "../../ports/KeywordStore.ts"
import { type MeasurementFailure, MeasurementStore } from "../../ports/MeasurementStore.ts"
import { SealStore } from "../../ports/SealStore.ts"
import { readAnswerSources, type ReadSources } from "../sources/reads.ts"
import { type AnswerMentions, readMentions } from "./readMentions.ts"
import { readAnswer } from "./reads.ts"
import { readSightings } from "./readSightings.ts"

/** The answer to the same question on the same platform in the scan before or after. */
export interface ComparedNeighbour {
  readonly answer: AnswerNeighbour
  /** The changes from the earlier answer to the later one, in words; null if one of them is not measured. */
  readonly changes: ReadonlyArray<string> | null
}

/** One answer with everything known about it. */
export interface AnswerDetail {
  /** The answer with its provenance. */
  readonly row: ArchiveRow
  readonly keyword: Keyword
  readonly call: AnswerCall
  /** Who saw an answer that was captured in an app, null if that is not stored; absent for other answers. */
  readonly sighting?: Sighting | null
  /** Mentions; null until the answer is measured. */
  readonly measured: AnswerMentions | null
  /** Why the answer could not be measured with its newest names and rules; null if it was measured, or not tried. */
  readonly failure: MeasurementFailure | null
  /** Sources and searches; null until they are derived. */
  readonly sources: ReadSources | null
  /** The seal that covers the answer; null while its scan is running. */
  readonly seal: SealHeader | null
  readonly before: ComparedNeighbour | null
  readonly after: ComparedNeighbour | null
}

/**
 * Reads one answer with its details. Leaves out an earlier answer that is outside the window. Fails as `readAnswer`.
 */
export const readAnswerDetail = Effect.fn("readAnswerDetail")(
  function*(organizationId: OrganizationId, window: HistoryWindow, id: AnswerId) {
    const archive = yield* ArchiveStore
    const row = yield* readAnswer(organizationId, window, id)
    const { after, before } = yield* archive.neighbours(organizationId, id)
    const mentions = yield* readMentions(organizationId, [id])
    const sighting = (yield* readSightings(organizationId, [row])).get(id)
    const detail: AnswerDetail = {
      row,
      ...sighting === undefined ? {} : { sighting },
      keyword: (yield* (yield* KeywordStore).find(organizationId, row.keywordId))!,
      call: (yield* archive.call(organizationId, id))!,
      measured: mentions.get(id) ?? null,
      failure: yield* (yield* MeasurementStore).findFailure(organizationId, id),
      sources: yield* readAnswerSources(organizationId, id),
      seal: yield* (yield* SealStore).ofAnswer(organizationId, row.scanId, id),
      before: before === null || !isInWindow(window, before.createdAt)
        ? null
        : { answer: before, changes: describeAnswerChange(before, row) },
      after: after === null ? null : { answer: after, changes: describeAnswerChange(row, after) }
    }
    return detail
  }
)
