/** Checks webhook endpoints: finds those that are disabled, and those whose receivers fail. */
import { listOrganizations } from "@sov/core/organizations"
import { type Endpoint, listEndpoints } from "@sov/core/webhooks"
import { Effect } from "effect"
import { type Finding, makeStoreCheck, ok, warn } from "./Check.ts"

/** An endpoint and the short name of its organization. */
export interface NamedEndpoint {
  readonly organization: string
  readonly endpoint: Pick<Endpoint, "id" | "disabledReason" | "failingSince">
}

/** Checks that every endpoint is enabled and reachable. An endpoint that a person has disabled is fine. */
export const diagnoseWebhooks = (endpoints: ReadonlyArray<NamedEndpoint>): Finding => {
  const disabled = endpoints.find(({ endpoint }) =>
    endpoint.disabledReason !== null && endpoint.disabledReason !== "operator"
  )
  if (disabled !== undefined) {
    const { endpoint: { disabledReason, id }, organization } = disabled
    return warn(
      `endpoint ${id} of ${organization} was disabled (${disabledReason}): it gets no events`,
      `mend the receiver, then: sov webhook enable ${id} --org ${organization}`
    )
  }
  const failing = endpoints.find(({ endpoint }) => endpoint.disabledReason === null && endpoint.failingSince !== null)
  if (failing !== undefined) {
    const { endpoint: { failingSince, id }, organization } = failing
    return warn(
      `endpoint ${id} of ${organization} fails since ${failingSince!.toISOString()}; deliveries are retried`,
      `sov webhook deliveries --org ${organization} shows why`
    )
  }
  return ok(endpoints.length === 0 ? "none is set up" : `${endpoints.length}, none is failing`)
}

export const webhooks = makeStoreCheck("webhooks", () =>
  Effect.gen(function*() {
    const found = yield* Effect.forEach(
      yield* listOrganizations(),
      ({ id, slug }) =>
        Effect.map(
          listEndpoints(id),
          (endpoints) => endpoints.map((endpoint): NamedEndpoint => ({ organization: slug, endpoint }))
        )
    )
    return diagnoseWebhooks(found.flat())
  }))
