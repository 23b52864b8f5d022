/** Parameters of the operations. Parsing is strict, and each error is one line that states what is allowed. */
import {
  type ArchiveParameter,
  dateBound,
  maxRowsPage,
  maxScansPage,
  maxSourceScans,
  uuidInAnyCase
} from "@sov/core/contract"
import { Schema, SchemaTransformation } from "effect"
import { Platform, TagText, ViewName } from "./resources.ts"

const integerParameter = (least: number, most: number) => {
  const message = `must be a whole number from ${least} to ${most}`
  return Schema.String.check(Schema.isPattern(/^(0|[1-9][0-9]{0,8})$/, { message })).pipe(
    Schema.decodeTo(
      Schema.Int.check(Schema.isBetween({ minimum: least, maximum: most }, { message })),
      SchemaTransformation.transform({ decode: Number, encode: String })
    )
  )
}

const dateParameter = (bound: "from" | "to") =>
  Schema.String.check(
    Schema.makeFilter((text) =>
      dateBound(text, bound) === null
        ? "must be a day (2026-03-01) or a time with its offset (2026-03-01T08:00:00Z)"
        : true
    )
  )

/** Query of GET /api/v1/scans. */
export const scansQuery = { limit: Schema.optionalKey(integerParameter(1, maxScansPage)) }

/** Query of GET /api/v1/funnel. */
export const funnelQuery = {
  scans: Schema.optionalKey(integerParameter(1, maxSourceScans)),
  platform: Schema.optionalKey(Platform),
  tag: Schema.optionalKey(TagText)
}

/** Query of operations about one view. */
export const viewQuery = { view: Schema.optionalKey(ViewName) }

/** Query of GET /api/v1/archive. */
export const archiveQuery = {
  keyword_id: Schema.optionalKey(
    Schema.String.check(
      Schema.isPattern(uuidInAnyCase, { message: "must be a UUID" })
    )
  ),
  platform: Schema.optionalKey(Platform),
  tag: Schema.optionalKey(TagText),
  view: Schema.optionalKey(ViewName),
  from: Schema.optionalKey(dateParameter("from")),
  to: Schema.optionalKey(dateParameter("to")),
  limit: Schema.optionalKey(integerParameter(1, maxRowsPage)),
  cursor: Schema.optionalKey(Schema.String),
  include: Schema.optionalKey(Schema.Literals(["sources"]).annotate({ message: "must be sources" }))
} satisfies { readonly [Parameter in ArchiveParameter | "limit" | "cursor" | "include"]: Schema.Top }

/** Query of GET /api/v1/organizations. */
export const organizationsQuery = {
  limit: Schema.optionalKey(integerParameter(1, maxRowsPage)),
  cursor: Schema.optionalKey(Schema.String)
}

/** Query of GET /api/v1/usage. */
export const usageQuery = {
  month: Schema.optionalKey(
    Schema.String.check(
      Schema.isPattern(/^[1-9][0-9]{3}-(0[1-9]|1[0-2])$/, { message: "must be a month such as 2026-11" })
    )
  ),
  organization: Schema.optionalKey(Schema.String)
}

/** Page sizes when the client does not set one. */
export const defaultLimit = { scans: 10, archive: 50, organizations: 50, funnel: 4 }
