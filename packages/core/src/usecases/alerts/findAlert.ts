import { Effect } from "effect"
import type { Alert } from "../../domain/alerts/AlertRule.ts"
import type { EndpointId, EventId, KeywordId, OrganizationId } from "../../domain/ids.ts"
import { type HistoryWindow, isInWindow } from "../../domain/organizations/HistoryWindow.ts"
import { keywordStatuses } from "../../domain/tracking/Keyword.ts"
import type { Delivery } from "../../domain/webhooks/Delivery.ts"
import { AlertStore } from "../../ports/AlertStore.ts"
import { DeliveryStore } from "../../ports/DeliveryStore.ts"
import { EndpointStore } from "../../ports/EndpointStore.ts"
import { KeywordStore } from "../../ports/KeywordStore.ts"
import { type MailStatus, MailStore } from "../../ports/MailStore.ts"
import { NotFound, OutsideWindow } from "../errors.ts"

/** An alert with the state of its e-mails and deliveries. */
export interface FoundAlert {
  readonly alert: Alert
  readonly emails: ReadonlyArray<MailStatus>
  /** Deliveries of its event, newest first. */
  readonly deliveries: ReadonlyArray<Delivery>
  /** The targets of the deliveries. Only the host of each address is shown, because the rest may contain a secret. */
  readonly hosts: ReadonlyMap<EndpointId, string>
  /** Texts of the keywords that the alert names. */
  readonly keywords: ReadonlyMap<KeywordId, string>
}

/** Maximum number of deliveries shown for one event; each endpoint has one. */
const maxDeliveries = 100

const readHosts = Effect.fnUntraced(function*(organizationId: OrganizationId, deliveries: ReadonlyArray<Delivery>) {
  const endpoints = deliveries.length === 0 ? [] : yield* (yield* EndpointStore).list(organizationId)
  return new Map(endpoints.map(({ id, url }) => [id, new URL(url).host]))
})

const readKeywordTexts = Effect.fnUntraced(function*(organizationId: OrganizationId, alert: Alert) {
  if (alert.rule !== "new_mention") return new Map<KeywordId, string>()
  const named = new Set(alert.data.mentions.map(({ keyword_id }) => keyword_id))
  const keywords = yield* (yield* KeywordStore).list(organizationId, keywordStatuses)
  return new Map(keywords.flatMap(({ id, text }) => named.has(id) ? [[id, text] as const] : []))
})

/**
 * One alert with its e-mails and the deliveries of its event. Fails with NotFound, or with OutsideWindow for an alert
 * that is older than the window.
 */
export const findAlert = Effect.fn("findAlert")(
  function*(organizationId: OrganizationId, window: HistoryWindow, id: EventId) {
    const alert = yield* (yield* AlertStore).find(organizationId, id)
    if (alert === null) return yield* new NotFound({ what: "alert", id })
    if (!isInWindow(window, alert.createdAt)) {
      return yield* new OutsideWindow({ what: "alert", id, since: window.since! })
    }
    const deliveries = yield* (yield* DeliveryStore).list(organizationId, { limit: maxDeliveries, eventId: id })
    const found: FoundAlert = {
      alert,
      emails: yield* (yield* MailStore).listStatuses(organizationId, [id]),
      deliveries,
      hosts: yield* readHosts(organizationId, deliveries),
      keywords: yield* readKeywordTexts(organizationId, alert)
    }
    return found
  }
)
