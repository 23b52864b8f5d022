/** What the doctor says of webhook endpoints. */
import type { EndpointId } from "@sov/core"
import { expect, it } from "vitest"
import { diagnoseWebhooks } from "../../packages/cli/src/commands/doctor/checks/webhooks.ts"

const endpoint = (disabledReason: "failing" | "gone" | "operator" | null, failingSince: string | null = null) => ({
  organization: "acme",
  endpoint: {
    id: "e1" as EndpointId,
    disabledReason,
    failingSince: failingSince === null ? null : new Date(failingSince)
  }
})
const failing = endpoint(null, "2026-01-31T11:00:00Z")

it("the check finds no problem without endpoints, or with an endpoint that a person disabled", () => {
  expect(diagnoseWebhooks([])).toEqual({ status: "ok", message: "none is set up" })
  expect(diagnoseWebhooks([endpoint(null), endpoint("operator", "2026-01-31T11:00:00Z")])).toEqual({
    status: "ok",
    message: "2, none is failing"
  })
})

it("the check names an endpoint whose receiver fails, and says where the reason can be found", () => {
  expect(diagnoseWebhooks([endpoint(null), failing])).toEqual({
    status: "warn",
    message: "endpoint e1 of acme fails since 2026-01-31T11:00:00.000Z; deliveries are retried",
    fix: "sov webhook deliveries --org acme shows why"
  })
})

it("the check lists a disabled endpoint first, and says how to enable it", () => {
  expect(diagnoseWebhooks([failing, endpoint("gone")])).toEqual({
    status: "warn",
    message: "endpoint e1 of acme was disabled (gone): it gets no events",
    fix: "mend the receiver, then: sov webhook enable e1 --org acme"
  })
})
