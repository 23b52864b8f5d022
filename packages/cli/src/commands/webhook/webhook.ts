/** sov webhook: manages webhook endpoints. */
import { NotFound, type OrganizationId } from "@sov/core/common"
import {
  addEndpoint,
  attemptJson,
  defaultEventNames,
  deliveryJson,
  disableEndpoint,
  enableEndpoint,
  type Endpoint,
  endpointJson,
  EventName,
  listDeliveries,
  listEndpoints,
  promoteSecret,
  readDelivery,
  removeEndpoint,
  rotateSecret,
  setEndpointEvents,
  WebhookFormat
} from "@sov/core/webhooks"
import { Effect } from "effect"
import { usageError } from "../../CliError.ts"
import { confirm } from "../../input/confirm.ts"
import { decodeInput } from "../../input/decodeInput.ts"
import { type CommandServices, type CommandSession, type Program, runForOrganization } from "../../runtime.ts"
import type { GlobalOptions } from "../../settings/GlobalOptions.ts"
import { findEndpoint } from "./findEndpoint.ts"

const shownDeliveries = 5

const decodeEvents = (names: ReadonlyArray<string>) =>
  Effect.forEach([...new Set(names)], (name) => decodeInput(EventName, name as EventName, "--event"))

/** Runs a command on one endpoint. */
const runOnEndpoint = (
  options: GlobalOptions,
  idOrUrl: string,
  needs: Parameters<typeof runForOrganization>[1],
  use: Program<CommandServices, [CommandSession, OrganizationId, Endpoint]>
) =>
  runForOrganization(options, needs, function*(session, { id }) {
    const endpoint = yield* findEndpoint(id, idOrUrl)
    return yield* Effect.gen(() => use(session, id, endpoint))
  })

export const add = (
  options: GlobalOptions & { readonly event?: ReadonlyArray<string>; readonly format: string },
  url: string
) =>
  runForOrganization(options, {}, function*({ out }, organization) {
    const events = yield* decodeEvents(options.event ?? defaultEventNames)
    const format = yield* decodeInput(WebhookFormat, options.format as WebhookFormat, "--format")
    const { endpoint, secret } = yield* addEndpoint(organization.id, url, events, format)
    out.note(`${endpoint.url} is subscribed to ${events.join(", ")}. Try it: sov webhook test ${endpoint.id}`)
    const added = { id: endpoint.id, url: endpoint.url, format, events: endpoint.events }
    if (format !== "json") {
      out.result(added, () => endpoint.id)
      return
    }
    out.note("This is the only time the secret is shown.")
    out.result({ ...added, secret }, () => secret)
  })

const statusText = ({ disabledReason, failingSince }: Endpoint): string =>
  disabledReason === null ? failingSince === null ? "enabled" : "failing" : `disabled (${disabledReason})`

export const list = (options: GlobalOptions) =>
  runForOrganization(options, { repeatable: true }, function*({ out }, organization) {
    const endpoints = yield* listEndpoints(organization.id)
    out.list(endpoints.map(endpointJson), [
      { header: "URL", cell: (row) => row.url },
      { header: "FORMAT", cell: (row) => row.format },
      { header: "EVENTS", cell: (row) => row.events.join(",") },
      {
        header: "STATUS",
        cell: (row) => row.failing_since !== null && row.status === "enabled" ? "failing" : row.status
      },
      { header: "ID", cell: (row) => row.id }
    ], { empty: "No webhooks yet: sov webhook add URL --event scan.completed" })
  })

/** Shows a delivery with its attempts and its body. */
const showDelivery = Effect.fnUntraced(function*({ out }: CommandSession, organizationId: OrganizationId, id: string) {
  const { attempts, body, delivery } = yield* readDelivery(organizationId, id).pipe(
    Effect.catchTag("NotFound", () => Effect.fail(new NotFound({ what: "webhook", id })))
  )
  const text = new TextDecoder().decode(body)
  out.result({ ...deliveryJson(delivery), tries: attempts.map(attemptJson), body: text }, () =>
    [
      `${delivery.event} (webhook-id ${delivery.eventId}): ${delivery.state}`,
      ...attempts.map(({ durationMs, message, number, startedAt, status }) =>
        `  ${number}. ${startedAt.toISOString()}  ${message ?? `answered ${status}`}, ${durationMs} ms`
      ),
      ...delivery.state === "pending" ? [`  next: ${delivery.dueAt.toISOString()}`] : [],
      text
    ].join("\n"))
})

export const show = (options: GlobalOptions, id: string) =>
  runForOrganization(options, { repeatable: true }, function*(session, organization) {
    const endpoint = yield* Effect.option(findEndpoint(organization.id, id))
    if (endpoint._tag === "None") return yield* showDelivery(session, organization.id, id)
    const { value } = endpoint
    const deliveries = yield* listDeliveries(organization.id, { limit: shownDeliveries, endpointId: value.id })
    session.out.result(endpointJson(value), () =>
      [
        `${value.url}  ${statusText(value)}`,
        `format   ${value.format}`,
        `events   ${value.events.join(", ")}`,
        `since    ${value.createdAt.toISOString()}`,
        ...value.stagedAt === null ? [] : [`a new secret is staged since ${value.stagedAt.toISOString()}`],
        ...value.failingSince === null ? [] : [`every attempt has failed since ${value.failingSince.toISOString()}`],
        ...deliveries.map((one) => `  ${one.createdAt.toISOString()}  ${one.event}  ${one.state}  ${one.id}`)
      ].join("\n"))
  })

export const set = (options: GlobalOptions & { readonly event: ReadonlyArray<string> }, id: string) =>
  runOnEndpoint(options, id, { repeatable: true }, function*({ out }, organizationId, endpoint) {
    const events = yield* decodeEvents(options.event)
    const changed = yield* setEndpointEvents(organizationId, endpoint.id, events)
    out.result(endpointJson(changed), () => `${endpoint.url} is subscribed to ${events.join(", ")}.`)
  })

export const enable = (options: GlobalOptions, id: string) =>
  runOnEndpoint(options, id, { repeatable: true }, function*({ out }, organizationId, endpoint) {
    const changed = yield* enableEndpoint(organizationId, endpoint.id)
    out.result(endpointJson(changed), () => `${endpoint.url} is enabled; its pending deliveries are sent.`)
  })

export const disable = (options: GlobalOptions, id: string) =>
  runOnEndpoint(options, id, { repeatable: true }, function*({ out }, organizationId, endpoint) {
    const changed = yield* disableEndpoint(organizationId, endpoint.id)
    out.result(
      endpointJson(changed),
      () => `${endpoint.url} is disabled; its pending deliveries wait up to 30 days.`
    )
  })

export const remove = (options: GlobalOptions, id: string) =>
  runOnEndpoint(options, id, {}, function*({ out }, organizationId, endpoint) {
    yield* confirm(out, `Remove ${endpoint.url} and the log of its deliveries?`)
    yield* removeEndpoint(organizationId, endpoint.id)
    out.result({ id: endpoint.id, removed: true }, () => `${endpoint.url} is removed.`)
  })

export const rotate = (
  options: GlobalOptions & { readonly promote?: boolean; readonly immediate?: boolean },
  id: string
) =>
  runOnEndpoint(options, id, {}, function*({ out }, organizationId, endpoint) {
    if (options.promote === true) {
      if (options.immediate === true) {
        return yield* Effect.fail(usageError("--promote and --immediate exclude each other"))
      }
      if (endpoint.stagedAt === null) {
        return yield* Effect.fail(usageError("no secret is staged", `sov webhook rotate ${endpoint.id} stages one`))
      }
      const promoted = yield* promoteSecret(organizationId, endpoint.id)
      out.result(endpointJson(promoted), () => `${endpoint.url}: only the new secret signs now.`)
      return
    }
    const immediate = options.immediate === true
    const { secret } = yield* rotateSecret(organizationId, endpoint.id, immediate)
    out.note(
      immediate
        ? "The old secret no longer signs."
        : "Both secrets sign from now on. Give this one to the receiver, then run: " +
          `sov webhook rotate ${endpoint.id} --promote (otherwise it is promoted after 24 hours)`
    )
    out.note("This is the only time the secret is shown.")
    out.result({ id: endpoint.id, url: endpoint.url, staged: !immediate, secret }, () => secret)
  })
