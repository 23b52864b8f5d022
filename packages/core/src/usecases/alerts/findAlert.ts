import { Effect } from "effect"
import type { EventId, OrganizationId } from "../../domain/ids.ts"
import { type HistoryWindow, isInWindow } from "../../domain/organizations/HistoryWindow.ts"
import { AlertStore } from "../../ports/AlertStore.ts"
import { DeliveryStore } from "../../ports/DeliveryStore.ts"
import { MailStore } from "../../ports/MailStore.ts"
import { NotFound, OutsideWindow } from "../errors.ts"

/** Deliveries of one event that are shown: one an endpoint. */
const maxDeliveries = 100

/**
 * One alert with its e-mails and the deliveries of its event, the newest first. Fails with NotFound, with OutsideWindow for one
 * that is older than what the window shows.
 */
export const findAlert = Effect.fn("findAlert")(
  function*(organizationId: OrganizationId, window: HistoryWindow, id: EventId) {
    const alert = yield* (yield* AlertStore).find(organizationId, id)
    if (alert === null) return yield* new NotFound({ what: "alert", id })
    if (!isInWindow(window, alert.createdAt)) {
      return yield* new OutsideWindow({ what: "alert", id, since: window.since! })
    }
    return {
      alert,
      emails: yield* (yield* MailStore).listStatuses(organizationId, [id]),
      deliveries: yield* (yield* DeliveryStore).list(organizationId, { limit: maxDeliveries, eventId: id })
    }
  }
)
