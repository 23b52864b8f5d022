/** A failed sign-in at the issuer. */
import { Schema } from "effect"

/**
 * `stale`: begun in another browser, expired, or already used · `denied`: the issuer refused · `unreachable`: the
 * issuer does not respond · `unusable`: its response is invalid, or it does not accept this server. `detail` is for the
 * log.
 */
export class SignInFailed extends Schema.TaggedError<SignInFailed>()("SignInFailed", {
  reason: Schema.Literals(["stale", "denied", "unreachable", "unusable"]),
  detail: Schema.String
}) {
  override get message() {
    return this.detail
  }
}

/** Fields that errors of openid-client and of fetch have in common. */
interface ClientFault {
  readonly message: string
  readonly code?: unknown
  /** The error code of a response according to RFC 6749 §4.1.2.1 or §5.2. */
  readonly error?: unknown
  readonly error_description?: unknown
  readonly cause?: unknown
}

const isFault = (value: unknown): value is ClientFault =>
  typeof value === "object" && value !== null && "message" in value && typeof value.message === "string"

const maxDetail = 400

const wrongClient = "the issuer does not accept SOV_OIDC_CLIENT_ID with SOV_OIDC_CLIENT_SECRET"

/** Only messages are logged, because other fields of an error may contain tokens. */
const detailOf = (fault: ClientFault): string => {
  const { cause, error, error_description: description, message } = fault
  const parts = [message, error, description, isFault(cause) ? cause.message : undefined]
  const said = parts.filter((part): part is string => typeof part === "string" && part !== "")
  return [...new Set(said)].join(": ").slice(0, maxDetail)
}

/** The HTTP status of a response that the library did not expect. */
const statusOf = ({ cause }: ClientFault): number | null =>
  typeof cause === "object" && cause !== null && "status" in cause && typeof cause.status === "number"
    ? cause.status
    : null

/** Converts an error of openid-client to a failed sign-in. */
export const toSignInFailed = (thrown: unknown): SignInFailed => {
  if (!isFault(thrown)) return new SignInFailed({ reason: "unusable", detail: "an unknown error" })
  const detail = detailOf(thrown)
  const make = (reason: SignInFailed["reason"]) => new SignInFailed({ reason, detail })
  // fetch throws a TypeError whose cause is the system's error
  const { cause, code, error } = thrown
  if (thrown instanceof TypeError && cause !== undefined && code === undefined) return make("unreachable")
  switch (code) {
    case "OAUTH_TIMEOUT":
    case "OAUTH_ABORT":
      return make("unreachable")
    case "OAUTH_RESPONSE_IS_NOT_CONFORM":
      return make((statusOf(thrown) ?? 0) >= 500 ? "unreachable" : "unusable")
    case "OAUTH_AUTHORIZATION_RESPONSE_ERROR":
      return make("denied")
    case "OAUTH_WWW_AUTHENTICATE_CHALLENGE":
      return new SignInFailed({ reason: "unusable", detail: wrongClient })
    case "OAUTH_RESPONSE_BODY_ERROR":
      if (error === "invalid_client") return new SignInFailed({ reason: "unusable", detail: wrongClient })
      return make(error === "invalid_grant" ? "stale" : "unusable")
    default:
      return make("unusable")
  }
}
