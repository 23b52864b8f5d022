/**
 * All error types of the API (RFC 9457). `type` identifies an error; it is a path relative to the base URL, and a page
 * at that path explains it. `help` says what a client can do. Types may be added, but a type never changes its meaning.
 */
export const problemTypes = {
  invalidRequest: {
    type: "/problems/invalid-request",
    status: 400,
    title: "The request is not valid",
    help: "Correct what `errors` lists: each has a path (where) and a message (what is wrong)."
  },
  missingKey: {
    type: "/problems/missing-key",
    status: 401,
    title: "No API key was sent",
    help: "Send the header `Authorization: Bearer <API_KEY>`. `sov key create --name NAME` makes a key."
  },
  invalidKey: {
    type: "/problems/invalid-key",
    status: 401,
    title: "The API key is not valid",
    help: "It is mistyped, unknown, revoked or expired; which of these is not said. `sov key list` shows the keys."
  },
  planRequired: {
    type: "/problems/plan-required",
    status: 403,
    title: "The plan does not include API access",
    help: "API access needs plan Pro or above. `sov plan set pro` changes the plan."
  },
  insufficientScope: {
    type: "/problems/insufficient-scope",
    status: 403,
    title: "The API key lacks the scope for this",
    help: "Use a key with the scope in `scope`: `sov key create --name NAME --scope SCOPE` makes one."
  },
  organizationSuspended: {
    type: "/problems/organization-suspended",
    status: 403,
    title: "The organization is suspended",
    help: "Its results can be read, and no scan starts. The operator of this server resumes it: `sov org resume SLUG`."
  },
  notFound: {
    type: "/problems/not-found",
    status: 404,
    title: "There is nothing here",
    help: "Check the path: it is case-sensitive, without doubled or trailing slashes. /docs lists all operations."
  },
  noCompletedScan: {
    type: "/problems/no-completed-scan",
    status: 404,
    title: "No scan has completed yet",
    help: "Start one with POST /api/v1/scans and ask again when it has completed."
  },
  methodNotAllowed: {
    type: "/problems/method-not-allowed",
    status: 405,
    title: "The method is not allowed here",
    help: "The header `Allow` lists the methods of this path."
  },
  requestTimeout: {
    type: "/problems/request-timeout",
    status: 408,
    title: "The request did not arrive in time",
    help: "Headers have to arrive within 10 seconds, the whole request within 30. Send it again."
  },
  nameTaken: {
    type: "/problems/name-taken",
    status: 409,
    title: "Another organization has this name",
    help: "Choose another name. Two names that differ in signs alone have the same short name, which is taken, too."
  },
  idempotencyInProgress: {
    type: "/problems/idempotency-in-progress",
    status: 409,
    title: "A request with this Idempotency-Key is still being worked on",
    help: "Send the same request again after the seconds in `Retry-After`."
  },
  payloadTooLarge: {
    type: "/problems/payload-too-large",
    status: 413,
    title: "The request body is too large",
    help: "A body may have at most 64 KiB."
  },
  unsupportedMediaType: {
    type: "/problems/unsupported-media-type",
    status: 415,
    title: "The request body is not JSON",
    help: "Send `Content-Type: application/json` in UTF-8 without Content-Encoding, or no body at all."
  },
  misdirectedRequest: {
    type: "/problems/misdirected-request",
    status: 421,
    title: "This server does not answer for that host name",
    help: "The operator lists further names in SOV_ALLOWED_HOSTS or sets SOV_PUBLIC_URL."
  },
  unknownKeyword: {
    type: "/problems/unknown-keyword",
    status: 422,
    title: "A keyword is not tracked or not active",
    help: "Name only ids of active keywords. `sov keyword list` shows them."
  },
  noBrand: {
    type: "/problems/no-brand",
    status: 422,
    title: "No brand is set up",
    help: "`sov brand set --name \"Your Brand\"` sets it."
  },
  noKeywords: {
    type: "/problems/no-keywords",
    status: 422,
    title: "No keyword is active",
    help: "`sov keyword add \"best tool for …?\"` adds one."
  },
  noPlatforms: {
    type: "/problems/no-platforms",
    status: 422,
    title: "No platform is configured on this server",
    help: "The operator adds one to sov.config.json (`sov platform add`) and starts the server again."
  },
  platformNotConfigured: {
    type: "/problems/platform-not-configured",
    status: 422,
    title: "A platform is not configured on this server",
    help: "Name only configured platforms, or none for all of them. `sov platform list` shows them."
  },
  platformsMixed: {
    type: "/problems/platforms-mixed",
    status: 422,
    title: "Simulated and real platforms cannot share a scan",
    help: "Name platforms of one kind."
  },
  idempotencyMismatch: {
    type: "/problems/idempotency-mismatch",
    status: 422,
    title: "The Idempotency-Key was used for another request",
    help: "Use a new key for a new request; a key is remembered for 24 hours."
  },
  scanQuotaExhausted: {
    type: "/problems/scan-quota-exhausted",
    status: 429,
    title: "The month's scans are used up",
    help: "Wait until `resets_at`, or have the limit raised (`sov quota set`, `sov plan set`)."
  },
  budgetExhausted: {
    type: "/problems/budget-exhausted",
    status: 429,
    title: "The organization's budget of the month is spent",
    help: "Wait until `resets_at`, or have the operator raise it: `sov org limit SLUG --monthly-budget USD`."
  },
  rateLimited: {
    type: "/problems/rate-limited",
    status: 429,
    title: "Too many requests",
    help: "Wait for the seconds in `Retry-After`."
  },
  headersTooLarge: {
    type: "/problems/headers-too-large",
    status: 431,
    title: "The address and headers are too large",
    help: "Together they may have at most 16 KiB."
  },
  internal: {
    type: "/problems/internal",
    status: 500,
    title: "The server failed",
    help: "Try again with exponential backoff. Tell the operator the `request_id`: the log has it."
  },
  notImplemented: {
    type: "/problems/not-implemented",
    status: 501,
    title: "The transfer coding is not supported",
    help: "Send a body with `Content-Length` or `Transfer-Encoding: chunked`, and nothing else in them."
  },
  unavailable: {
    type: "/problems/unavailable",
    status: 503,
    title: "The service is not available at the moment",
    help: "Usually its database. Try again after the seconds in `Retry-After`; a POST with its Idempotency-Key."
  }
} as const

/** One type of error. */
export type ProblemType = typeof problemTypes[keyof typeof problemTypes]
