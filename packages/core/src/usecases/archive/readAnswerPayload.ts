import { Effect } from "effect"
import type { AnswerId, OrganizationId } from "../../domain/ids.ts"
import type { HistoryWindow } from "../../domain/organizations/HistoryWindow.ts"
import { ArchiveStore } from "../../ports/ArchiveStore.ts"
import { readAnswer } from "./readAnswer.ts"

/**
 * The provider's response body of an archived answer, byte for byte; empty where none is kept, as for an imported
 * answer. Fails as `readAnswer`.
 */
export const readAnswerPayload = Effect.fn("readAnswerPayload")(
  function*(organizationId: OrganizationId, window: HistoryWindow, id: AnswerId) {
    yield* readAnswer(organizationId, window, id)
    return (yield* (yield* ArchiveStore).payload(organizationId, id)) ?? new Uint8Array()
  }
)
