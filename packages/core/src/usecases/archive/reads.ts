import { Effect } from "effect"
import type { ArchiveFilters } from "../../domain/archive/ArchiveFilters.ts"
import type { AnswerId, OrganizationId } from "../../domain/ids.ts"
import { type HistoryWindow, isInWindow } from "../../domain/organizations/HistoryWindow.ts"
import { ArchiveStore } from "../../ports/ArchiveStore.ts"
import { SealStore } from "../../ports/SealStore.ts"
import { NotFound, OutsideWindow } from "../errors.ts"
import { resolveTag } from "./resolveTag.ts"

/** The number of archived answers that match the filters; of all answers without filters. */
export const countAnswers = Effect.fn("countAnswers")(
  function*(organizationId: OrganizationId, filters: ArchiveFilters = {}) {
    return yield* (yield* ArchiveStore).count(organizationId, yield* resolveTag(organizationId, filters))
  }
)

/**
 * The approximate number of archived answers that match the filters (of all answers without filters), to show progress.
 * It reads one row per scan, while an exact count reads an index entry for each answer.
 */
export const estimateAnswers = Effect.fn("estimateAnswers")(
  function*(organizationId: OrganizationId, filters: ArchiveFilters = {}) {
    return yield* (yield* ArchiveStore).estimate(organizationId, yield* resolveTag(organizationId, filters))
  }
)

/** Whether the organization has any archived answers. */
export const hasAnswers = Effect.fn("hasAnswers")(function*(organizationId: OrganizationId) {
  return (yield* (yield* ArchiveStore).oldest(organizationId)) !== null
})

/**
 * One archived answer with its newest measurement. Fails with NotFound, also for an answer of another organization, or
 * with OutsideWindow for an answer that is older than the window.
 */
export const readAnswer = Effect.fn("readAnswer")(
  function*(organizationId: OrganizationId, window: HistoryWindow, id: AnswerId) {
    const row = yield* (yield* ArchiveStore).find(organizationId, id)
    if (row === null) return yield* new NotFound({ what: "answer", id })
    if (isInWindow(window, row.createdAt)) return row
    return yield* new OutsideWindow({ what: "answer", id, since: window.since! })
  }
)

/** The adapter and the model of an archived answer, as the provider named the model. Fails with NotFound. */
export const readAnswerOrigin = Effect.fn("readAnswerOrigin")(function*(organizationId: OrganizationId, id: AnswerId) {
  const origin = yield* (yield* ArchiveStore).origin(organizationId, id)
  return origin ?? (yield* new NotFound({ what: "answer", id }))
})

/**
 * The provider's response body of an archived answer, byte for byte; empty if none is stored, as for an imported
 * answer. Fails as `readAnswer`.
 */
export const readAnswerPayload = Effect.fn("readAnswerPayload")(
  function*(organizationId: OrganizationId, window: HistoryWindow, id: AnswerId) {
    yield* readAnswer(organizationId, window, id)
    return (yield* (yield* ArchiveStore).payload(organizationId, id)) ?? new Uint8Array()
  }
)

/** Size and time span of the archive, one entry for each platform with answers. */
export const readArchiveStats = Effect.fn("readArchiveStats")(function*(organizationId: OrganizationId) {
  return yield* (yield* ArchiveStore).stats(organizationId)
})

/** The newest seal of the organization's chain; null if there is no seal. */
export const readChainHead = Effect.fn("readChainHead")(function*(organizationId: OrganizationId) {
  return yield* (yield* SealStore).head(organizationId)
})
