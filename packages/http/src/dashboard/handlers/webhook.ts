/** One webhook endpoint with its deliveries: sending a test, and sending deliveries again. */
import type { KeysUnusable } from "@sov/core/access"
import { makeFormId, runOnce } from "@sov/core/audit"
import { dateBound, type DeliveryId } from "@sov/core/common"
import { laterBegin } from "@sov/core/organizations"
import {
  countFailedDeliveries,
  deliveryJson,
  DeliveryState,
  type Endpoint,
  EventName,
  findEndpoint,
  readDelivery,
  readDeliveryLog,
  replayDelivery,
  requeueDeliveries,
  testEndpoint
} from "@sov/core/webhooks"
import { Effect, Fiber, Option } from "effect"
import { noSuchPage, PageRefused } from "../guard/PageRefused.ts"
import type { OrganizationRequest } from "../guard/PageRequest.ts"
import { columnsOf, seeOther, sendCsv, showPage } from "../guard/Reply.ts"
import { deliveryPage } from "../pages/delivery.ts"
import type { DoneCode } from "../pages/done.ts"
import { inOrganization } from "../pages/sections.ts"
import { deliveryList, type WebhookContent, webhookPage } from "../pages/webhook.ts"
import { replayWebhookPage } from "../pages/webhookActs.ts"
import { endpointPath } from "../pages/webhooks.ts"
import { readChoice, readFormId } from "./forms.ts"
import { readCursorList } from "./listView.ts"
import { readFilter, withoutEmptyFields } from "./query.ts"
import { redirectTo } from "./replies.ts"
import { streamPages } from "./streamPages.ts"

/** Deliveries per read for the CSV. */
const csvPage = 500

const findNamed = ({ organization, params }: OrganizationRequest) => findEndpoint(organization.id, params["id"] ?? "")

/** The page of an endpoint; `eventsFormId` is the id of a form for its events that was refused. */
export const makeWebhookPage = Effect.fnUntraced(function*(
  request: OrganizationRequest,
  endpoint: Endpoint,
  { eventsFormId, ...given }:
    & Partial<
      Pick<
        WebhookContent,
        "secrets" | "events" | "fault" | "changed" | "secretsChanged" | "stateChanged" | "state"
      >
    >
    & { readonly eventsFormId?: WebhookContent["formIds"]["events"] } = {}
) {
  const { frame, organization, window } = request
  const { state } = given
  const deliveries = yield* readCursorList(request, deliveryList, (options) =>
    Effect.map(
      readDeliveryLog(organization.id, window, { endpointId: endpoint.id, state }, options),
      (log) => ({ rows: log.deliveries, nextCursor: log.nextCursor })
    ))
  return webhookPage(frame, {
    endpoint,
    deliveries,
    state,
    formIds: {
      test: yield* makeFormId,
      events: eventsFormId ?? (yield* makeFormId),
      enable: yield* makeFormId,
      promote: yield* makeFormId,
      reveal: yield* makeFormId
    },
    events: endpoint.events,
    fault: undefined,
    changed: false,
    secretsChanged: false,
    stateChanged: false,
    secrets: [],
    ...given
  })
})

/** GET /o/{slug}/settings/webhooks/{id}?state=&cursor=, or &q=&sort=&page= */
export const showWebhook = Effect.fnUntraced(function*(request: OrganizationRequest) {
  const endpoint = yield* findNamed(request)
  const clean = withoutEmptyFields(request, `/o/${request.organization.slug}${endpointPath(endpoint)}`)
  if (clean !== null) return clean
  const state = yield* readFilter(request, "state", DeliveryState)
  return showPage(yield* makeWebhookPage(request, endpoint, { state }))
})

type Line = ReturnType<typeof deliveryJson>

/** GET /o/{slug}/settings/webhooks/{id}/deliveries.csv */
export const downloadDeliveries = Effect.fnUntraced(function*(request: OrganizationRequest) {
  const { organization, window } = request
  const { id } = yield* findNamed(request)
  const state = yield* readFilter(request, "state", DeliveryState)
  return sendCsv(
    "deliveries.csv",
    {
      ...columnsOf<Line>("id", "webhook_id", "event", "state", "attempts", "created_at", "next_attempt_at"),
      ...columnsOf<Line>("ended_at", "last_status", "last_failure", "last_message")
    },
    streamPages((cursor) =>
      Effect.map(
        readDeliveryLog(organization.id, window, { endpointId: id, state }, { limit: csvPage, cursor }),
        ({ deliveries, nextCursor }) => ({ rows: deliveries.map(deliveryJson), nextCursor })
      )
    )
  )
})

/** The delivery in the path, which must belong to the endpoint and be within the plan's history. */
const findShown = Effect.fnUntraced(
  function*({ organization, params, window }: OrganizationRequest, endpoint: Endpoint) {
    const found = yield* readDelivery(organization.id, params["delivery"] ?? "")
    const { createdAt, endpointId } = found.delivery
    const isShown = endpointId === endpoint.id && (window.since === null || createdAt >= window.since)
    return isShown ? found : yield* noSuchPage
  }
)

/** GET /o/{slug}/settings/webhooks/{id}/deliveries/{delivery} */
export const showDelivery = Effect.fnUntraced(function*(request: OrganizationRequest) {
  const endpoint = yield* findNamed(request)
  const { attempts, body, delivery } = yield* findShown(request, endpoint)
  return showPage(deliveryPage(request.frame, {
    endpoint,
    delivery,
    attempts,
    body: new TextDecoder().decode(body),
    formId: yield* makeFormId
  }))
})

/** How long a page waits for an attempt. After it, the attempt continues in the background. */
const maxWait = "4 seconds"

/** Starts an attempt in the background and waits for it, for at most `maxWait`; None = it is still running. */
const beginTry = Effect.fnUntraced(function*<A, E, R>(attempt: Effect.Effect<A, E, R>) {
  const fiber = yield* Effect.forkDetach(attempt)
  return yield* Effect.timeoutOption(Fiber.join(fiber), maxWait)
})

const refuseTry = (words: string) => Effect.fail(new PageRefused({ status: 409, words }))

const refuseKeys = ({ hint, message }: KeysUnusable) =>
  refuseTry(`Nothing was sent: ${message}. The operator of this server: ${hint}.`)

const toTried = (
  request: OrganizationRequest,
  endpoint: Endpoint,
  outcome: Option.Option<{ readonly deliveryId: DeliveryId; readonly failure: unknown }>
) =>
  Option.match(outcome, {
    onNone: () => redirectTo(request, endpointPath(endpoint), "delivery-on-its-way"),
    onSome: ({ deliveryId, failure }) =>
      redirectTo(
        request,
        `${endpointPath(endpoint)}/deliveries/${deliveryId}`,
        failure === null ? "delivery-delivered" : "delivery-failed"
      )
  })

/** POST /o/{slug}/settings/webhooks/{id}/test */
export const testWebhook = Effect.fnUntraced(function*(request: OrganizationRequest) {
  const { organization } = request
  const endpoint = yield* findNamed(request)
  const formId = yield* readFormId(request)
  const event = yield* readChoice(request, "event", EventName)
  return yield* beginTry(runOnce(organization.id, formId, testEndpoint(organization.id, endpoint.id, event))).pipe(
    Effect.map((outcome) => toTried(request, endpoint, outcome)),
    Effect.catchTags({
      DoneBefore: () => Effect.succeed(toTried(request, endpoint, Option.none())),
      KeysUnusable: refuseKeys
    })
  )
})

/** POST /o/{slug}/settings/webhooks/{id}/deliveries/{delivery}/replay */
export const replayOne = Effect.fnUntraced(function*(request: OrganizationRequest) {
  const { organization } = request
  const endpoint = yield* findNamed(request)
  const { delivery } = yield* findShown(request, endpoint)
  const formId = yield* readFormId(request)
  return yield* beginTry(runOnce(organization.id, formId, replayDelivery(organization.id, delivery.id))).pipe(
    Effect.map((outcome) => toTried(request, endpoint, outcome)),
    Effect.catchTags({
      DoneBefore: () =>
        Effect.succeed(
          seeOther(inOrganization(organization.slug, `${endpointPath(endpoint)}/deliveries/${delivery.id}`))
        ),
      KeysUnusable: refuseKeys,
      DeliveryInFlight: () =>
        refuseTry("The delivery is already due and will be sent by the server. Its page shows the result."),
      Rejected: () => refuseTry("The endpoint is disabled. Enable it before you send the delivery again.")
    })
  )
})

const badSince = new PageRefused({ status: 400, words: "“since” must be a day such as 2026-11-20." })

/** The day or time from which failed deliveries are sent again, limited to the plan's history. */
const readSince = ({ window }: OrganizationRequest, text: string | null) => {
  const since = dateBound(text ?? "", "from")
  return since === null ? Effect.fail(badSince) : Effect.succeed(laterBegin(window, since)!)
}

/** GET /o/{slug}/settings/webhooks/{id}/replay?since= */
export const showReplay = Effect.fnUntraced(function*(request: OrganizationRequest) {
  const { frame, organization, query } = request
  const endpoint = yield* findNamed(request)
  const since = yield* readSince(request, query.get("since"))
  const failed = yield* countFailedDeliveries(organization.id, endpoint.id, since)
  return showPage(replayWebhookPage(frame, { endpoint, since, failed, formId: yield* makeFormId }))
})

/** POST /o/{slug}/settings/webhooks/{id}/replay */
export const replayFailed = Effect.fnUntraced(function*(request: OrganizationRequest) {
  const { form, organization } = request
  const endpoint = yield* findNamed(request)
  const formId = yield* readFormId(request)
  const since = yield* readSince(request, form.get("since"))
  const toEndpoint = (done: DoneCode) => redirectTo(request, endpointPath(endpoint), done)
  return yield* runOnce(organization.id, formId, requeueDeliveries(organization.id, endpoint.id, since)).pipe(
    Effect.map((deliveries) => toEndpoint(deliveries === 0 ? "deliveries-none" : "deliveries-queued")),
    Effect.catchTags({
      DoneBefore: () => Effect.succeed(toEndpoint("deliveries-queued")),
      Rejected: () => refuseTry("The endpoint is disabled. Enable it first.")
    })
  )
})
