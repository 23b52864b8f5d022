import { Schema } from "effect"

/**
 * The request was refused: the status of the response, and a sentence with the reason; null = the default sentence for
 * the status.
 */
export class PageRefused extends Schema.TaggedError<PageRefused>()("PageRefused", {
  status: Schema.Literals([400, 401, 403, 404, 409, 410, 413, 422, 429, 503]),
  words: Schema.NullOr(Schema.String)
}) {}

/** Unknown, used and expired links get the same response. */
export const linkRefused = new PageRefused({ status: 410, words: null })

/** Unknown pages and pages of other tenants get the same response. */
export const noSuchPage = new PageRefused({ status: 404, words: null })
