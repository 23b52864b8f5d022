/** The list of webhook endpoints, and adding, changing, rotating and removing an endpoint. */
import type { KeysUnusable } from "@sov/core/access"
import { makeFormId, runOnce } from "@sov/core/audit"
import { EndpointId, type OrganizationId, Rejected } from "@sov/core/common"
import {
  addEndpoint,
  disableEndpoint,
  enableEndpoint,
  endpointJson,
  EventName,
  findEndpoint,
  listEndpoints,
  promoteSecret,
  readSecretsMark,
  removeEndpoint,
  revealSecret,
  rotateSecret,
  setEndpointEvents,
  WebhookFormat
} from "@sov/core/webhooks"
import { Effect, Schema } from "effect"
import { PageRefused } from "../guard/PageRefused.ts"
import type { OrganizationRequest } from "../guard/PageRequest.ts"
import { columnsOf, sendCsv, showPage } from "../guard/Reply.ts"
import type { DoneCode } from "../pages/done.ts"
import { eventsText, secretsText, stateText } from "../pages/webhook.ts"
import { disableWebhookPage, removeWebhookPage, rotateWebhookPage, rotations } from "../pages/webhookActs.ts"
import { emptyWebhookInput, endpointList, endpointPath, type WebhooksContent, webhooksPage } from "../pages/webhooks.ts"
import { isAsSeen, readFormId, readParam, readText } from "./forms.ts"
import { readListView } from "./listView.ts"
import { redirectTo, replyWithPage } from "./replies.ts"
import { saveForm, submitForm } from "./saveForm.ts"
import { makeWebhookPage } from "./webhook.ts"

const isEventName = Schema.is(EventName)
const isWebhookFormat = Schema.is(WebhookFormat)
const eventFault = "Choose at least one event."

const makePage = Effect.fnUntraced(function*(
  request: OrganizationRequest,
  given: Partial<Pick<WebhooksContent, "formId" | "input" | "faults">> = {}
) {
  return webhooksPage(request.frame, {
    view: yield* readListView(request, endpointList),
    endpoints: yield* listEndpoints(request.organization.id),
    formId: yield* makeFormId,
    input: emptyWebhookInput,
    faults: {},
    ...given
  })
})

/** GET /o/{slug}/settings/webhooks?q=&sort=&page= */
export const showWebhooks = (request: OrganizationRequest) => replyWithPage(makePage(request))

type Line = ReturnType<typeof endpointJson>

/** GET /o/{slug}/settings/webhooks.csv */
export const downloadWebhooks = Effect.fnUntraced(function*({ organization }: OrganizationRequest) {
  return sendCsv<Line>("webhooks.csv", {
    ...columnsOf<Line>("id", "url"),
    events: ({ events }) => events.join(" "),
    ...columnsOf<Line>("status", "disabled_reason", "disabled_at", "failing_since", "last_success_at"),
    ...columnsOf<Line>("last_failure_at", "created_at", "format")
  }, (yield* listEndpoints(organization.id)).map(endpointJson))
})

const path = "/settings/webhooks"

const toEndpoint = (request: OrganizationRequest, id: EndpointId, done: DoneCode) =>
  redirectTo(request, endpointPath({ id }), done)

/** Refuses to create a secret until the operator of the server has configured keys. */
const refuseKeys = ({ hint, message }: KeysUnusable) =>
  Effect.fail(
    new PageRefused({ status: 409, words: `Nothing was changed: ${message}. The operator of this server: ${hint}.` })
  )

/** The endpoint's requests are not signed, so none of its pages contains the form that was sent. */
const refuseUnsigned = ({ message }: Rejected) => Effect.fail(new PageRefused({ status: 409, words: `${message}.` }))

/**
 * POST /o/{slug}/settings/webhooks: adds an endpoint. If its requests are signed, the secret is shown, only in this
 * response. Sending a form again adds no second endpoint.
 */
export const addWebhook = Effect.fnUntraced(function*(request: OrganizationRequest) {
  const { form, organization } = request
  const formId = yield* readFormId(request)
  const input = {
    url: readText(request, "url"),
    format: form.get("format") ?? emptyWebhookInput.format,
    events: form.getAll("event")
  }
  const refuse = (faults: WebhooksContent["faults"]) =>
    replyWithPage(makePage(request, { formId, input, faults }), { status: 422 })
  const { format } = input
  if (!isWebhookFormat(format)) return yield* refuse({ format: "Choose a format." })
  if (input.events.length === 0 || !input.events.every(isEventName)) return yield* refuse({ events: eventFault })
  const wanted = URL.parse(input.url)?.href
  const add = Effect.gen(function*() {
    if ((yield* listEndpoints(organization.id)).some(({ url }) => url === wanted)) {
      return yield* new Rejected({ field: "url", message: "An endpoint with this URL already exists." })
    }
    return yield* addEndpoint(organization.id, input.url, input.events.filter(isEventName), format)
  })
  return yield* runOnce(organization.id, formId, add).pipe(
    Effect.flatMap(({ endpoint, secret }) =>
      format === "json"
        ? replyWithPage(makeWebhookPage(request, endpoint, { secrets: [{ text: secret, is: "new" }] }), {
          secret: true
        })
        : Effect.succeed(toEndpoint(request, endpoint.id, "webhook-added"))
    ),
    Effect.catchTags({
      DoneBefore: () => Effect.succeed(redirectTo(request, path, "webhook-added-before")),
      KeysUnusable: refuseKeys,
      Rejected: ({ message }) => refuse({ url: message })
    })
  )
})

/** The endpoint id in the path; the use case checks whether the endpoint exists. */
const readId = (request: OrganizationRequest) => readParam(request, EndpointId)

/**
 * Acts on the endpoint in the path, only once however often the form is sent, then redirects. Refuses if somebody else
 * has disabled or enabled the endpoint, or changed its events, since the form was opened.
 */
const actOnce = Effect.fnUntraced(function*<A, E extends { readonly _tag: string }, R>(
  request: OrganizationRequest,
  act: (organizationId: OrganizationId, id: EndpointId) => Effect.Effect<A, E, R>,
  done: DoneCode
) {
  const id = yield* readId(request)
  const { organization } = request
  const find = findEndpoint(organization.id, id)
  return yield* submitForm(request, {
    read: Effect.map(find, stateText),
    edit: act(organization.id, id),
    to: done === "webhook-removed" ? path : endpointPath({ id }),
    done: () => done,
    before: done,
    changed: Effect.flatMap(find, (endpoint) => makeWebhookPage(request, endpoint, { stateChanged: true }))
  })
})

/** POST /o/{slug}/settings/webhooks/{id}/enable */
export const enableWebhook = (request: OrganizationRequest) => actOnce(request, enableEndpoint, "webhook-enabled")

/** GET /o/{slug}/settings/webhooks/{id}/disable */
export const showDisableWebhook = Effect.fnUntraced(function*({ frame, organization, params }: OrganizationRequest) {
  const endpoint = yield* findEndpoint(organization.id, params["id"] ?? "")
  return showPage(disableWebhookPage(frame, { endpoint, formId: yield* makeFormId }))
})

/** POST /o/{slug}/settings/webhooks/{id}/disable */
export const disableWebhook = (request: OrganizationRequest) => actOnce(request, disableEndpoint, "webhook-disabled")

/** GET /o/{slug}/settings/webhooks/{id}/remove */
export const showRemoveWebhook = Effect.fnUntraced(function*({ frame, organization, params }: OrganizationRequest) {
  const endpoint = yield* findEndpoint(organization.id, params["id"] ?? "")
  return showPage(removeWebhookPage(frame, { endpoint, formId: yield* makeFormId }))
})

/** POST /o/{slug}/settings/webhooks/{id}/remove */
export const removeWebhook = (request: OrganizationRequest) => actOnce(request, removeEndpoint, "webhook-removed")

/**
 * POST /o/{slug}/settings/webhooks/{id}/events: refused if somebody else has changed the events since the form was
 * opened.
 */
export const changeWebhookEvents = Effect.fnUntraced(function*(request: OrganizationRequest) {
  const { form, organization } = request
  const [id, formId] = [yield* readId(request), yield* readFormId(request)]
  const events = form.getAll("event")
  const find = findEndpoint(organization.id, id)
  const makeAgain = (given: { readonly fault?: string; readonly changed?: boolean }) =>
    Effect.flatMap(find, (endpoint) => makeWebhookPage(request, endpoint, { events, eventsFormId: formId, ...given }))
  if (events.length === 0 || !events.every(isEventName)) {
    return yield* replyWithPage(makeAgain({ fault: eventFault }), { status: 422 })
  }
  return yield* submitForm(request, {
    read: Effect.map(find, eventsText),
    edit: setEndpointEvents(organization.id, id, events.filter(isEventName)),
    to: endpointPath({ id }),
    done: () => "webhook-events-set",
    before: "webhook-events-set",
    changed: makeAgain({ changed: true })
  })
})

/** GET /o/{slug}/settings/webhooks/{id}/rotate */
export const showRotateSecret = Effect.fnUntraced(function*({ frame, organization, params }: OrganizationRequest) {
  const endpoint = yield* findEndpoint(organization.id, params["id"] ?? "")
  const secretsMark = yield* readSecretsMark(organization.id, endpoint.id)
  const content = { endpoint, secretsMark, formId: yield* makeFormId, rotation: rotations[0][0], fault: undefined }
  return showPage(rotateWebhookPage(frame, content))
})

/**
 * POST /o/{slug}/settings/webhooks/{id}/rotate: creates a new secret, which is shown only in this response. Refused if
 * the secrets have changed since the form was opened, so that nobody replaces or drops a secret that somebody else has
 * just created.
 */
export const rotateWebhookSecret = Effect.fnUntraced(function*(request: OrganizationRequest) {
  const { form, frame, organization } = request
  const endpoint = yield* findEndpoint(organization.id, request.params["id"] ?? "")
  const formId = yield* readFormId(request)
  const rotation = form.get("rotation") ?? ""
  const readMark = readSecretsMark(organization.id, endpoint.id)
  if (!rotations.some(([value]) => value === rotation)) {
    const secretsMark = yield* readMark
    const content = {
      endpoint,
      secretsMark,
      formId,
      rotation,
      fault: "Choose what happens to the current secret.",
      changed: !isAsSeen(request, secretsMark)
    }
    return showPage(rotateWebhookPage(frame, content), { status: 422 })
  }
  const rotate = rotateSecret(organization.id, endpoint.id, rotation === "immediate")
  const showChanged = Effect.gen(function*() {
    const now = yield* findEndpoint(organization.id, endpoint.id)
    const content = { endpoint: now, secretsMark: yield* readMark, formId, rotation, fault: undefined, changed: true }
    return showPage(rotateWebhookPage(frame, content), { status: 409 })
  })
  return yield* saveForm(request, readMark, rotate).pipe(
    Effect.flatMap((made) => {
      const secrets = [{ text: made.secret, is: rotation === "staged" ? "staged" as const : "new" as const }]
      return replyWithPage(makeWebhookPage(request, made.endpoint, { secrets }), { secret: true })
    }),
    Effect.catchTags({
      DoneBefore: () => Effect.succeed(toEndpoint(request, endpoint.id, "webhook-rotated-before")),
      ChangedMeanwhile: () => showChanged,
      KeysUnusable: refuseKeys,
      Rejected: refuseUnsigned
    })
  )
})

/** POST /o/{slug}/settings/webhooks/{id}/reveal: shows the secret, and records this in the audit log. */
export const revealWebhookSecret = Effect.fnUntraced(function*(request: OrganizationRequest) {
  const [id, formId] = [yield* readId(request), yield* readFormId(request)]
  const { organization } = request
  return yield* runOnce(organization.id, formId, revealSecret(organization.id, id)).pipe(
    Effect.flatMap(({ current, endpoint, next }) => {
      const second = next === null ? [] : [{ text: next, is: "next" as const }]
      const secrets = [{ text: current, is: "present" as const }, ...second]
      return replyWithPage(makeWebhookPage(request, endpoint, { secrets }), { secret: true })
    }),
    Effect.catchTags({
      DoneBefore: () => Effect.succeed(toEndpoint(request, id, "webhook-revealed-before")),
      KeysUnusable: refuseKeys,
      Rejected: refuseUnsigned
    })
  )
})

/**
 * POST /o/{slug}/settings/webhooks/{id}/promote: promotes the staged secret, if it is still the one that the form
 * showed.
 */
export const promoteWebhookSecret = Effect.fnUntraced(function*(request: OrganizationRequest) {
  const id = yield* readId(request)
  const { organization } = request
  const find = findEndpoint(organization.id, id)
  const promote = Effect.gen(function*() {
    const { stagedAt } = yield* find
    yield* promoteSecret(organization.id, id)
    return stagedAt === null ? "webhook-not-staged" : "webhook-promoted"
  })
  return yield* submitForm(request, {
    read: Effect.map(find, secretsText),
    edit: promote,
    to: endpointPath({ id }),
    done: (code) => code,
    before: "webhook-promoted",
    changed: Effect.flatMap(find, (endpoint) => makeWebhookPage(request, endpoint, { secretsChanged: true }))
  })
})
