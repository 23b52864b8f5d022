/** sov webhook test, deliveries, replay, recover: shows the log of deliveries and sends them again. */
import { dateBound, DeliveryId, maxLogPage, NotFound } from "@sov/core/common"
import {
  type AttemptOutcome,
  deliveryJson,
  DeliveryState,
  EventName,
  listDeliveries,
  listEndpoints,
  recoverDeliveries,
  replayDelivery,
  testEndpoint
} from "@sov/core/webhooks"
import { Effect, Schema } from "effect"
import { usageError } from "../../CliError.ts"
import { exitCodes } from "../../exitCodes.ts"
import { decodeInput } from "../../input/decodeInput.ts"
import { integerOption } from "../../input/integerOption.ts"
import { runForOrganization } from "../../runtime.ts"
import type { GlobalOptions } from "../../settings/GlobalOptions.ts"
import { findEndpoint } from "./findEndpoint.ts"

const outcomeJson = (outcome: AttemptOutcome) => ({
  id: outcome.deliveryId,
  endpoint_id: outcome.endpointId,
  delivered: outcome.failure === null,
  status: outcome.status,
  duration_ms: outcome.durationMs,
  failure: outcome.failure,
  message: outcome.message,
  next_attempt_at: outcome.retryAt?.toISOString() ?? null
})

const outcomeText = ({ durationMs, failure, message, response, retryAt, status }: AttemptOutcome): string =>
  failure === null
    ? `Delivered: status ${status} after ${durationMs} ms.`
    : [
      `Not delivered: ${message}.`,
      ...failure === "status" && response !== null ? [response] : [],
      ...retryAt === null ? [] : [`The next attempt is due at ${retryAt.toISOString()}, while a sov process runs.`]
    ].join("\n")

const findExitCode = (delivered: boolean) => delivered ? exitCodes.ok : exitCodes.checkFailed

export const test = (options: GlobalOptions & { readonly event: string }, id: string) =>
  runForOrganization(options, {}, function*({ out }, organization) {
    const name = yield* decodeInput(EventName, options.event as EventName, "--event")
    const endpoint = yield* findEndpoint(organization.id, id)
    out.note(`Sending a sample of ${name} to ${endpoint.url} …`)
    const outcome = yield* testEndpoint(organization.id, endpoint.id, name)
    out.result(outcomeJson(outcome), () => outcomeText(outcome))
    return findExitCode(outcome.failure === null)
  })

export const deliveries = (
  options: GlobalOptions & { readonly state?: string; readonly limit: string },
  id: string | undefined
) =>
  runForOrganization(options, { repeatable: true }, function*({ out }, organization) {
    const endpoints = yield* listEndpoints(organization.id)
    const urls = new Map(endpoints.map((endpoint) => [endpoint.id, endpoint.url]))
    const rows = yield* listDeliveries(organization.id, {
      limit: yield* integerOption("--limit", options.limit, 1, maxLogPage),
      ...id === undefined ? {} : { endpointId: (yield* findEndpoint(organization.id, id)).id },
      ...options.state === undefined
        ? {}
        : { state: yield* decodeInput(DeliveryState, options.state as DeliveryState, "--state") }
    })
    out.list(rows.map(deliveryJson), [
      { header: "CREATED", cell: (row) => row.created_at },
      { header: "EVENT", cell: (row) => row.event },
      { header: "STATE", cell: (row) => row.state },
      { header: "TRIES", cell: (row) => row.attempts, align: "right" },
      { header: "LAST", cell: (row) => row.last_message ?? row.last_status ?? "-" },
      { header: "URL", cell: (row) => urls.get(row.endpoint_id) ?? "-" },
      { header: "ID", cell: (row) => row.id }
    ], { empty: "No deliveries yet." })
  })

export const replay = (options: GlobalOptions, id: string) =>
  runForOrganization(options, {}, function*({ out }, organization) {
    if (!Schema.is(DeliveryId)(id)) return yield* new NotFound({ what: "delivery", id })
    const outcome = yield* replayDelivery(organization.id, id)
    out.result(outcomeJson(outcome), () => outcomeText(outcome))
    return findExitCode(outcome.failure === null)
  })

export const recover = (options: GlobalOptions & { readonly since: string }, id: string) =>
  runForOrganization(options, {}, function*({ out }, organization) {
    const since = dateBound(options.since, "from")
    if (since === null) {
      return yield* Effect.fail(
        usageError(`--since ${JSON.stringify(options.since)} is no date`, "give 2026-03-01 or 2026-03-01T08:00:00Z")
      )
    }
    const endpoint = yield* findEndpoint(organization.id, id)
    const { delivered, failed } = yield* recoverDeliveries(organization.id, endpoint.id, since, (progress) => {
      if (progress.sent % 100 !== 0) return
      out.note(`${progress.sent} of ${progress.failed} sent again, ${progress.delivered} delivered …`)
    })
    out.result({ endpoint_id: endpoint.id, failed, delivered }, () =>
      failed === 0
        ? "No delivery has failed since then."
        : `${delivered} of ${failed} delivered${
          delivered < failed ? "; the others are retried while a sov process runs" : ""
        }.`)
    return findExitCode(delivered === failed)
  })
