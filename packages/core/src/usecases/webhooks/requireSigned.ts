import { Effect } from "effect"
import type { Endpoint } from "../../domain/webhooks/Webhook.ts"
import { Rejected } from "../errors.ts"

/** Fails with Rejected for an endpoint whose requests are not signed, because its secret has no use. */
export const requireSigned = ({ format }: Pick<Endpoint, "format">) =>
  format === "json"
    ? Effect.void
    : new Rejected({
      field: "webhook",
      message: `requests in the format of ${format} are not signed: there is no secret`
    })
