import { Effect } from "effect"
import type { AnswerId, OrganizationId } from "../../domain/ids.ts"
import { type HistoryWindow, isInWindow } from "../../domain/organizations/HistoryWindow.ts"
import { ArchiveStore } from "../../ports/ArchiveStore.ts"
import { NotFound, OutsideWindow } from "../errors.ts"

/**
 * One archived answer with its newest measurement. Fails with NotFound, also for an answer of another organization,
 * with OutsideWindow for one that is older than what the window shows.
 */
export const readAnswer = Effect.fn("readAnswer")(
  function*(organizationId: OrganizationId, window: HistoryWindow, id: AnswerId) {
    const row = yield* (yield* ArchiveStore).find(organizationId, id)
    if (row === null) return yield* new NotFound({ what: "answer", id })
    if (isInWindow(window, row.createdAt)) return row
    return yield* new OutsideWindow({ what: "answer", id, since: window.since! })
  }
)
