/** Which fields of a structured log say what: names that common servers use, and an operator's own. */
import type { LoggedRequest } from "./classify.ts"
import { targetOf } from "./combinedLog.ts"
import { anyTime } from "./logTime.ts"

/** What a log can say about a request. `request` is a whole request line, `query` what stands after "?". */
export const logFields = ["time", "url", "request", "query", "referrer", "user_agent", "host"] as const
export type LogField = typeof logFields[number]

/** An operator's names of fields; each replaces the known names. */
export type FieldNames = { readonly [F in LogField]?: string }

/** Known names, the likelier first: nginx, Apache, Caddy, Traefik, Cloudflare, CloudFront, IIS. Any case fits. */
const knownNames: { readonly [F in LogField]: ReadonlyArray<string> } = {
  time: [
    "time",
    "timestamp",
    "@timestamp",
    "time_iso8601",
    "time_local",
    "datetime",
    "date_time",
    "ts",
    "msec",
    "EdgeStartTimestamp",
    "StartUTC"
  ],
  url: ["url", "uri", "request_uri", "path", "request.uri", "RequestPath", "ClientRequestURI", "cs-uri-stem", "page"],
  request: ["request", "request_line"],
  query: ["query", "args", "query_string", "cs-uri-query"],
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

/** Names under which a field is looked for. */
export const namesOf = (field: LogField, own: FieldNames): ReadonlyArray<string> => {
  const name = own[field]
  return name === undefined ? knownNames[field] : [name]
}

const text = (value: unknown): string => {
  const one: unknown = Array.isArray(value) ? value[0] : value
  return typeof one === "string" ? (one === "-" ? "" : one) : ""
}

const withQuery = (target: string, query: string): string =>
  query === "" || target.includes("?") ? target : `${target}${query.startsWith("?") ? "" : "?"}${query}`

/**
 * A request from the fields of one line, or why it is none. Values of the wrong type count as missing; an array stands
 * for its first element.
 */
export const requestOf = (field: (name: LogField) => unknown): LoggedRequest | string => {
  const time = anyTime(field("time"))
  if (time === null) return field("time") === undefined ? "no time" : "the time cannot be read"
  const target = text(field("url")) || targetOf(text(field("request")))
  if (target === "") return "no URL"
  return {
    time,
    target: withQuery(target, text(field("query"))),
    referrer: text(field("referrer")),
    userAgent: text(field("user_agent")),
    host: text(field("host"))
  }
}
