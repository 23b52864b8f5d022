/**
 * Arguments and result members that several tools share. Arguments have the same names and rules as in the REST API.
 */
import { dateBound, maxRowsPage, uuidInAnyCase } from "@sov/core/common"
import { platformIds } from "@sov/core/platforms"
import { maxTagFilterLength, maxViewName } from "@sov/core/tracking"
import { Schema } from "effect"

const anyUuid = Schema.isPattern(uuidInAnyCase, { message: "must be an id (a UUID)" })

/** An id taken from another result; `toStoredId` converts it. */
export const idArgument = (description: string) => Schema.String.check(anyUuid).annotate({ description })

/** A tag to filter by; a tag that no keyword has matches nothing. */
export const tagArgument = (what: string) =>
  Schema.String.check(
    Schema.isMaxLength(maxTagFilterLength, { message: `must have at most ${maxTagFilterLength} characters` })
  ).annotate({
    description: `Only ${what} keywords that have this tag now; branded and unbranded are computed`
  })

/** The id in lower case, the form in which it is stored. */
export const toStoredId = <Id extends string>(argument: string): Id => argument.toLowerCase() as Id

export const Platform = Schema.Literals(platformIds).annotate({
  description: "Answer platform, by its neutral name",
  message: `must be one of ${platformIds.join(", ")}`
})

export const limitArgument = (preset: number) =>
  Schema.Int.check(
    Schema.isBetween({ minimum: 1, maximum: maxRowsPage }, {
      message: `must be a whole number from 1 to ${maxRowsPage}`
    })
  ).annotate({ description: `Rows at most, 1 to ${maxRowsPage}; default ${preset}` })

export const cursorArgument = Schema.String.annotate({
  description: "meta.next_cursor of the page before; all other arguments must be the same"
})

/**
 * One end of a time range. The description belongs to the inner string, because filters and their descriptions are not
 * part of the JSON Schema.
 */
export const timeArgument = (bound: "from" | "to") =>
  Schema.String.annotate({
    description: `${bound === "from" ? "Earliest" : "Latest"} time, inclusive: 2026-03-01 (UTC) or 2026-03-01T08:00:00Z`
  }).check(
    Schema.makeFilter((text) =>
      dateBound(text, bound) === null
        ? "must be a day (2026-03-01) or a time with its offset (2026-03-01T08:00:00Z)"
        : true
    )
  )

/** One end of a range of days. */
export const dayArgument = (bound: "from" | "to") =>
  Schema.String.annotate({ description: `${bound === "from" ? "First" : "Last"} day, inclusive, UTC: 2026-03-01` })
    .check(
      Schema.makeFilter((text) =>
        text.length !== 10 || dateBound(text, bound) === null ? "must be a day such as 2026-03-01" : true
      )
    )

export const IsoTime = Schema.String.annotate({ description: "ISO 8601, UTC" })
export const Percent = Schema.Finite.annotate({ description: "Per cent" })
export const Count = Schema.Int

/** Present only if the answers come from the simulated adapter. */
export const simulatedMember = { simulated: Schema.optionalKey(Schema.Literal(true)) }

/** The surface and view of an answer or a scan. */
export const viewMembers = {
  surface: Schema.NullOr(Schema.Literals(["api", "app"])).annotate({
    description: "Whether it asked APIs or apps; null if unknown or simulated"
  }),
  view: Schema.NullOr(Schema.String).annotate({ description: "The view that was asked from; null: the standard one" })
}

/** The view to read. */
export const viewArgument = (what: string) =>
  Schema.String.check(
    Schema.isBetweenLength(1, maxViewName, { message: `must be one name of 1 to ${maxViewName} characters` })
  ).annotate({ description: `${what} of this view (market or persona); standard is the one without` })

/** Members of a page's `meta`. */
export const pageMeta = {
  count: Count,
  next_cursor: Schema.NullOr(Schema.String).annotate({
    description: "Pass it as cursor for the next page; null = last"
  }),
  page_cut_by_size: Schema.Boolean.annotate({
    description: "True: fewer rows than asked for, to keep the result short"
  })
}

/** The `meta` of a page that shows only the first `shown` of the rows that were read. */
export const makePageMeta = <Row>(
  { cursorAfter, more, rows }: {
    readonly rows: ReadonlyArray<Row>
    readonly more: boolean
    readonly cursorAfter: (row: Row) => string
  },
  shown: number
) => {
  const last = rows[shown - 1]
  const cutBySize = shown < rows.length
  return {
    count: shown,
    next_cursor: (more || cutBySize) && last !== undefined ? cursorAfter(last) : null,
    page_cut_by_size: cutBySize
  }
}

/** Error for a cursor that belongs to other arguments. */
export const staleCursor = "The cursor does not match these arguments; call again without cursor."

/** Labels a sentence about `all` answers if `madeUp` of them are simulated. */
export const labelSimulated = (sentence: string, madeUp: number, all: number): string =>
  madeUp === 0 ? sentence : madeUp === all ? `SIMULATED: ${sentence}` : `${sentence} ${madeUp} SIMULATED.`
