/**
 * Parses the combined log format of Apache and nginx, optionally with a virtual host at the beginning and more fields
 * at the end.
 */
import type { LoggedRequest } from "./classify.ts"
import { parseCommonTime } from "./logTime.ts"

const backslash = 0x5c

/**
 * Finds the quote that ends the field starting at `from`; a quote after an odd number of backslashes belongs to the
 * field.
 */
const findClosingQuote = (line: string, from: number): number => {
  let at = line.indexOf("\"", from)
  while (at !== -1) {
    let back = at
    while (back > from && line.charCodeAt(back - 1) === backslash) back--
    if ((at - back) % 2 === 0) return at
    at = line.indexOf("\"", at + 1)
  }
  return -1
}

/** Unescapes `\"`, `\\` and `\xHH`; sequences of `\xHH` are UTF-8. */
const unescapeField = (field: string): string =>
  field.includes("\\")
    ? field.replace(/\\[\\"]|(?:\\x[0-9a-f]{2})+/gi, (found) =>
      found[1] === "x" || found[1] === "X"
        ? Buffer.from(found.replace(/\\x/gi, ""), "hex").toString("utf8")
        : found[1]!)
    : field

const statusAndSize = / (\d{3}) (?:\d+|-)(?= |$)/y

/** Target of a request line such as `GET /a HTTP/1.1`; "" for other text. */
export const parseTarget = (requestLine: string): string => {
  const start = requestLine.indexOf(" ")
  if (start === -1) return ""
  const end = requestLine.lastIndexOf(" HTTP/")
  return requestLine.slice(start + 1, end > start ? end : undefined)
}

/** Method of a request line; "" for other text. */
export const parseMethod = (requestLine: string): string => /^[A-Za-z]+(?= )/.exec(requestLine)?.[0] ?? ""

// In a line without a virtual host, the client's address comes first. Here it comes next, followed by the identity,
// which is always empty
const virtualHost = /^(\S+) (?!- )\S+ - /

const timeLength = 26

/**
 * Creates a parser for the lines of one log. The parser returns the request, or a reason if the line contains no
 * request. `trailing` becomes true once a line has text after the user agent: from then on, a truncated last line
 * cannot be told from a complete one.
 */
export const makeCombinedParser = () => {
  // Lines of the same second share their parsed time
  let said = ""
  let time: number | null = null
  const timeAt = (text: string): number | null => {
    if (text !== said) {
      said = text
      time = parseCommonTime(text)
    }
    return time
  }
  const parser = {
    trailing: false,
    parse: (line: string): LoggedRequest | string => {
      let open = line.indexOf("[")
      let at: number | null = null
      for (; open !== -1; open = line.indexOf("[", open + 1)) {
        const close = open + 1 + timeLength
        if (line.charCodeAt(close) !== 0x5d || line.charCodeAt(close + 1) !== 0x20) continue
        at = timeAt(line.slice(open + 1, close))
        if (at !== null) break
      }
      if (at === null) return "no time such as [10/Oct/2026:13:55:36 +0000]"
      const request = open + timeLength + 4
      if (line.charCodeAt(request - 1) !== 0x22) return "no request after the time"
      const requestEnd = findClosingQuote(line, request)
      if (requestEnd === -1) return "the request has no end"
      statusAndSize.lastIndex = requestEnd + 1
      const status = statusAndSize.exec(line)?.[1]
      if (status === undefined) return "no status and size after the request"
      const referrer = statusAndSize.lastIndex + 2
      if (line.length < referrer) return "no referrer and user agent: this is the common, not the combined format"
      if (line.charCodeAt(referrer - 1) !== 0x22) return "no referrer after status and size"
      const referrerEnd = findClosingQuote(line, referrer)
      if (referrerEnd === -1) return "the referrer has no end"
      const agent = referrerEnd + 3
      if (line.charCodeAt(agent - 2) !== 0x20 || line.charCodeAt(agent - 1) !== 0x22) {
        return "no user agent after the referrer"
      }
      const agentEnd = findClosingQuote(line, agent)
      if (agentEnd === -1) return "the user agent has no end"
      if (agentEnd + 1 < line.length) {
        if (line.charCodeAt(agentEnd + 1) !== 0x20) return "no space after the user agent"
        parser.trailing = true
      }
      const requestLine = unescapeField(line.slice(request, requestEnd))
      return {
        time: at,
        target: parseTarget(requestLine),
        method: parseMethod(requestLine),
        status: Number(status),
        referrer: unescapeField(line.slice(referrer, referrerEnd)),
        userAgent: unescapeField(line.slice(agent, agentEnd)),
        host: virtualHost.exec(line)?.[1] ?? ""
      }
    }
  }
  return parser
}
