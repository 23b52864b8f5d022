/** The errors of the operations as classes; clients distinguish them by `_tag`. */
import { Schema } from "effect"
import { HttpApiError } from "effect/http-api"
import { problemTypes as types } from "./problemTypes.ts"

const Seconds = Schema.Int.annotate({ description: "Seconds after which to try again, as in the header Retry-After" })

/** Members of every problem that help to find the request in the server's log. */
const common = {
  request_id: Schema.optionalKey(Schema.String.annotate({ description: "As in the header X-Request-Id" }))
}

/** An error in a request: the field, and what is expected there. */
export const RequestFault = Schema.Struct({
  path: Schema.Array(Schema.Union([Schema.String, Schema.Int])).annotate({
    description: "`query`, `body` or `header`, then the name"
  }),
  message: Schema.String
})
export type RequestFault = typeof RequestFault.Type

export class InvalidRequest extends HttpApiError.Problem<InvalidRequest>()("InvalidRequest", types.invalidRequest, {
  ...common,
  errors: Schema.optionalKey(Schema.Array(RequestFault))
}) {}

export class MissingKey extends HttpApiError.Problem<MissingKey>()("MissingKey", types.missingKey, common) {}
export class InvalidKey extends HttpApiError.Problem<InvalidKey>()("InvalidKey", types.invalidKey, common) {}

export class PlanRequired extends HttpApiError.Problem<PlanRequired>()("PlanRequired", types.planRequired, {
  ...common,
  plan: Schema.String
}) {}

export class InsufficientScope
  extends HttpApiError.Problem<InsufficientScope>()("InsufficientScope", types.insufficientScope, {
    ...common,
    scope: Schema.String.annotate({ description: "The scope that the operation needs" })
  })
{}

export class NoCompletedScan
  extends HttpApiError.Problem<NoCompletedScan>()("NoCompletedScan", types.noCompletedScan, common)
{}

export class ResourceNotFound
  extends HttpApiError.Problem<ResourceNotFound>()("ResourceNotFound", types.notFound, common)
{}

export class RequestTimeout
  extends HttpApiError.Problem<RequestTimeout>()("RequestTimeout", types.requestTimeout, common)
{}

export class IdempotencyInProgress extends HttpApiError.Problem<IdempotencyInProgress>()(
  "IdempotencyInProgress",
  types.idempotencyInProgress,
  { ...common, retry_after: Seconds }
) {}

export class PayloadTooLarge
  extends HttpApiError.Problem<PayloadTooLarge>()("PayloadTooLarge", types.payloadTooLarge, common)
{}

export class UnsupportedMediaType
  extends HttpApiError.Problem<UnsupportedMediaType>()("UnsupportedMediaType", types.unsupportedMediaType, common)
{}

export class MisdirectedRequest
  extends HttpApiError.Problem<MisdirectedRequest>()("MisdirectedRequest", types.misdirectedRequest, common)
{}

export class UnknownKeyword
  extends HttpApiError.Problem<UnknownKeyword>()("UnknownKeyword", types.unknownKeyword, common)
{}
export class NoBrand extends HttpApiError.Problem<NoBrand>()("NoBrand", types.noBrand, common) {}
export class NoKeywords extends HttpApiError.Problem<NoKeywords>()("NoKeywords", types.noKeywords, common) {}
export class NoPlatforms extends HttpApiError.Problem<NoPlatforms>()("NoPlatforms", types.noPlatforms, common) {}

export class PlatformNotConfigured
  extends HttpApiError.Problem<PlatformNotConfigured>()("PlatformNotConfigured", types.platformNotConfigured, common)
{}

export class PlatformsMixed
  extends HttpApiError.Problem<PlatformsMixed>()("PlatformsMixed", types.platformsMixed, common)
{}

export class IdempotencyMismatch
  extends HttpApiError.Problem<IdempotencyMismatch>()("IdempotencyMismatch", types.idempotencyMismatch, common)
{}

export class ScanQuotaExhausted
  extends HttpApiError.Problem<ScanQuotaExhausted>()("ScanQuotaExhausted", types.scanQuotaExhausted, {
    ...common,
    limit: Schema.Int.annotate({ description: "Scans a month" }),
    used: Schema.Int,
    resets_at: Schema.String.annotate({ format: "date-time", description: "First instant of the next UTC month" }),
    retry_after: Seconds
  })
{}

export class OrganizationSuspended
  extends HttpApiError.Problem<OrganizationSuspended>()("OrganizationSuspended", types.organizationSuspended, {
    ...common,
    since: Schema.String.annotate({ format: "date-time" }),
    reason: Schema.NullOr(Schema.String).annotate({ description: "As the operator gave it" })
  })
{}

export class BudgetExhausted extends HttpApiError.Problem<BudgetExhausted>()("BudgetExhausted", types.budgetExhausted, {
  ...common,
  budget_usd: Schema.Finite,
  spent_usd: Schema.NullOr(Schema.Finite).annotate({ description: "Null: replies name no cost" }),
  resets_at: Schema.String.annotate({ format: "date-time", description: "First instant of the next UTC month" }),
  retry_after: Seconds
}) {}

export class NameTaken extends HttpApiError.Problem<NameTaken>()("NameTaken", types.nameTaken, common) {}

export class RateLimited extends HttpApiError.Problem<RateLimited>()("RateLimited", types.rateLimited, {
  ...common,
  retry_after: Seconds
}) {}

export class HeadersTooLarge
  extends HttpApiError.Problem<HeadersTooLarge>()("HeadersTooLarge", types.headersTooLarge, common)
{}

export class Internal extends HttpApiError.Problem<Internal>()("Internal", types.internal, common) {}

export class NotImplemented
  extends HttpApiError.Problem<NotImplemented>()("NotImplemented", types.notImplemented, common)
{}

export class Unavailable extends HttpApiError.Problem<Unavailable>()("Unavailable", types.unavailable, {
  ...common,
  retry_after: Seconds
}) {}
