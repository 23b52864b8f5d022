import { Effect } from "effect"
import type { Alert } from "../../domain/alerts/AlertRule.ts"
import type { EventId, KeywordId, OrganizationId } from "../../domain/ids.ts"
import { type HistoryWindow, isInWindow } from "../../domain/organizations/HistoryWindow.ts"
import { keywordStatuses } from "../../domain/tracking/Keyword.ts"
import type { Delivery } from "../../domain/webhooks/Delivery.ts"
import { AlertStore } from "../../ports/AlertStore.ts"
import { DeliveryStore } from "../../ports/DeliveryStore.ts"
import { EndpointStore } from "../../ports/EndpointStore.ts"
import { KeywordStore } from "../../ports/KeywordStore.ts"
import { type MailStatus, MailStore } from "../../ports/MailStore.ts"
import { NotFound, OutsideWindow } from "../errors.ts"

/** An alert, and what became of telling it. */
export interface AlertDetail {
  readonly alert: Alert
  readonly emails: ReadonlyArray<MailStatus>
  /** To webhook endpoints, the newest first; of an endpoint's address only the host, as the rest may hold a secret. */
  readonly deliveries: ReadonlyArray<{ readonly delivery: Delivery; readonly host: string }>
  /** The texts of the keywords that it names. */
  readonly keywords: ReadonlyMap<KeywordId, string>
}

/** Deliveries of one alert that are read: more than an organization has endpoints. */
const maxDeliveries = 100

const readKeywordTexts = Effect.fnUntraced(function*(organizationId: OrganizationId, alert: Alert) {
  if (alert.rule !== "new_mention") return new Map<KeywordId, string>()
  const asked = new Set(alert.data.mentions.map(({ keyword_id }) => keyword_id))
  const keywords = yield* (yield* KeywordStore).list(organizationId, keywordStatuses)
  return new Map(keywords.flatMap(({ id, text }) => asked.has(id) ? [[id, text] as const] : []))
})

const readDeliveries = Effect.fnUntraced(function*(organizationId: OrganizationId, eventId: EventId) {
  const deliveries = yield* (yield* DeliveryStore).list(organizationId, { limit: maxDeliveries, eventId })
  if (deliveries.length === 0) return []
  const endpoints = yield* (yield* EndpointStore).list(organizationId)
  const hosts = new Map(endpoints.map(({ id, url }) => [id, new URL(url).host]))
  return deliveries.map((delivery) => ({ delivery, host: hosts.get(delivery.endpointId) ?? "removed" }))
})

/** Reads one alert. Fails with NotFound, or with OutsideWindow for one that the window does not show. */
export const readAlert = Effect.fn("readAlert")(
  function*(organizationId: OrganizationId, window: HistoryWindow, id: EventId) {
    const alert = yield* (yield* AlertStore).find(organizationId, id)
    if (alert === null) return yield* new NotFound({ what: "alert", id })
    if (window.since !== null && !isInWindow(window, alert.createdAt)) {
      return yield* new OutsideWindow({ what: "alert", id, since: window.since })
    }
    const detail: AlertDetail = {
      alert,
      emails: yield* (yield* MailStore).listStatuses(organizationId, [id]),
      deliveries: yield* readDeliveries(organizationId, id),
      keywords: yield* readKeywordTexts(organizationId, alert)
    }
    return detail
  }
)
