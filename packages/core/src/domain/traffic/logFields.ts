/** The fields of structured logs: the names that common servers use, and the operator's own names. */
import type { LoggedRequest } from "./classify.ts"
import { parseMethod, parseTarget } from "./combinedLog.ts"
import { parseAnyTime } from "./logTime.ts"

/** What a log can contain about a request. `request` is a whole request line, `query` the part after "?". */
export const logFields = [
  "time",
  "url",
  "request",
  "query",
  "method",
  "status",
  "referrer",
  "user_agent",
  "host"
] as const
export type LogField = typeof logFields[number]

/** The operator's names of fields; each replaces the known names. */
export type FieldNames = { readonly [F in LogField]?: string }

/** Known names, most likely first: nginx, Apache, Caddy, Traefik, Cloudflare, CloudFront, IIS. Case is ignored. */
const knownNames: { readonly [F in LogField]: ReadonlyArray<string> } = {
  // "time" may be the duration of the request, and "uri" the page that was finally served, so more precise names come
  // first
  time: [
    "timestamp",
    "@timestamp",
    "time_iso8601",
    "time_local",
    "time",
    "datetime",
    "date_time",
    "ts",
    "msec",
    "EdgeStartTimestamp",
    "StartUTC"
  ],
  url: ["request_uri", "url", "uri", "path", "request.uri", "RequestPath", "ClientRequestURI", "cs-uri-stem", "page"],
  request: ["request", "request_line"],
  query: ["query", "args", "query_string", "cs-uri-query"],
  method: ["method", "request_method", "request.method", "RequestMethod", "ClientRequestMethod", "cs-method"],
  status: ["status", "status_code", "DownstreamStatus", "EdgeResponseStatus", "sc-status"],
  referrer: [
    "referrer",
    "referer",
    "http_referrer",
    "http_referer",
    "request.headers.Referer",
    "request_Referer",
    "ClientRequestReferer",
    "cs(Referer)"
  ],
  user_agent: [
    "user_agent",
    "http_user_agent",
    "useragent",
    "user-agent",
    "agent",
    "request.headers.User-Agent",
    "request_User-Agent",
    "ClientRequestUserAgent",
    "cs(User-Agent)"
  ],
  host: ["host", "http_host", "vhost", "request.host", "RequestHost", "ClientRequestHost", "cs-host", "server_name"]
}

/** The names to look for: the operator's own name, or else the known names. */
export const listFieldNames = (field: LogField, own: FieldNames): ReadonlyArray<string> => {
  const name = own[field]
  return name === undefined ? knownNames[field] : [name]
}

const toFieldText = (value: unknown): string => {
  const one: unknown = Array.isArray(value) ? value[0] : value
  return typeof one === "string" ? (one === "-" ? "" : one) : ""
}

const addQuery = (target: string, query: string): string =>
  query === "" || target.includes("?") ? target : `${target}${query.startsWith("?") ? "" : "?"}${query}`

const parseQuery = (target: string): string => target.includes("?") ? target.slice(target.indexOf("?")) : ""

/**
 * Builds a request from the fields of one line, or returns the reason why it cannot. Values of the wrong type count as
 * missing; of an array, the first element is used.
 */
export const readLoggedRequest = (field: (name: LogField) => unknown): LoggedRequest | string => {
  const time = parseAnyTime(field("time"))
  if (time === null) return field("time") === undefined ? "no time" : "the time cannot be read"
  const status = field("status")
  const line = toFieldText(field("request"))
  const requested = parseTarget(line)
  const target = toFieldText(field("url")) || requested
  if (target === "") return "no URL"
  return {
    time,
    target: addQuery(addQuery(target, toFieldText(field("query"))), parseQuery(requested)),
    method: toFieldText(field("method")) || parseMethod(line),
    status: typeof status === "number" ? status : Number(toFieldText(status)) || 0,
    referrer: toFieldText(field("referrer")),
    userAgent: toFieldText(field("user_agent")),
    host: toFieldText(field("host"))
  }
}
