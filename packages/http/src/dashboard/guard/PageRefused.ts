import { Schema } from "effect"

/** A page that is not shown, with the status of the answer and the sentence that says why; null = the status' own. */
export class PageRefused extends Schema.TaggedError<PageRefused>()("PageRefused", {
  status: Schema.Literals([400, 403, 404, 409, 410, 413, 422, 429, 503]),
  words: Schema.NullOr(Schema.String)
}) {}

/** A link that never was, was used or is too old: one answer for all. */
export const linkRefused = new PageRefused({ status: 410, words: null })

/** There is no such page, or it belongs to others: one answer for both. */
export const noSuchPage = new PageRefused({ status: 404, words: null })
