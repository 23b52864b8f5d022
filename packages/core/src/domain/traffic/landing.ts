/** Reads the landing page from a request's target: the path to store, and the source tag. */
import { detachFromSource } from "./hosts.ts"

/** Maximum length of a stored landing path in characters; a longer path is cut and ends in "…". */
const maxPathLength = 512

/** The parts of a request's target. */
export interface Landing {
  /** Path without query and fragment, as requested. */
  readonly path: string
  /** Text after the first "?"; "" if there is no "?". */
  readonly query: string
  /** Host and port if the target is a complete URL (`GET http://acme.example/`); otherwise "". */
  readonly authority: string
}

// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const unfitCharacters = /[\u0000-\u0020\u007f-\u009f\u2028\u2029\ud800-\udfff]/
const toStorablePath = (path: string): string =>
  unfitCharacters.test(path)
    // oxlint-disable-next-line no-control-regex -- control characters are what is encoded
    ? path.toWellFormed().replace(/[\u0000-\u0020\u007f-\u009f\u2028\u2029]/g, (unit) => encodeURIComponent(unit))
    : path

/** The path in the form that is stored: bounded, without control characters, and copied (see `detachFromSource`). */
export const boundPath = (path: string): string => {
  const whole = toStorablePath(detachFromSource(path.slice(0, maxPathLength + 1)))
  return whole.length <= maxPathLength ? whole : `${whole.slice(0, maxPathLength - 1).toWellFormed()}…`
}

/** Splits a target in origin form (`/a?b`) or absolute form; null for any other form. */
export const parseLanding = (target: string): Landing | null => {
  let start = 0
  let authority = ""
  if (!target.startsWith("/")) {
    const scheme = /^https?:\/\//i.exec(target)
    if (scheme === null) return null
    const rest = target.slice(scheme[0].length)
    const end = rest.search(/[/?#]/)
    authority = end === -1 ? rest : rest.slice(0, end)
    start = scheme[0].length + authority.length
  }
  const hash = target.indexOf("#", start)
  const end = hash === -1 ? target.length : hash
  const mark = target.indexOf("?", start)
  const pathEnd = mark === -1 || mark > end ? end : mark
  return {
    path: pathEnd === start ? "/" : target.slice(start, pathEnd),
    query: pathEnd === end ? "" : target.slice(pathEnd + 1, end),
    authority
  }
}

const mayCarryTag = /(?:^|&)(?:utm_source|ref|source)=|%/

/**
 * The tag that names the source of a visit: `utm_source`, or else `ref`, or else `source`; in lower case. "" if there
 * is no tag.
 */
export const findSourceTag = (query: string): string => {
  if (query === "" || !mayCarryTag.test(query)) return ""
  const fields = new URLSearchParams(query)
  const value = fields.get("utm_source") || fields.get("ref") || fields.get("source") || ""
  return value.trim().toLowerCase()
}
