import { dateBound, Rejected } from "@sov/core/common"
import { Effect } from "effect"

/** Parses a bound of a time range; an error names `option`. */
export const dateOption = (option: string, text: string, bound: "from" | "to") => {
  const date = dateBound(text, bound)
  return date === null
    ? Effect.fail(
      new Rejected({
        field: option,
        message: `${option} ${JSON.stringify(text)} is no date: give a day such as 2026-03-01, ` +
          "or a time such as 2026-03-01T08:00:00Z"
      })
    )
    : Effect.succeed(date)
}

/** Reads `--from` and `--to`, which are both optional. */
export const dateRange = Effect.fnUntraced(function*(given: { readonly from?: string; readonly to?: string }) {
  const from = given.from === undefined ? undefined : yield* dateOption("--from", given.from, "from")
  const to = given.to === undefined ? undefined : yield* dateOption("--to", given.to, "to")
  if (from !== undefined && to !== undefined && from > to) {
    return yield* new Rejected({ field: "--from", message: "--from is later than --to" })
  }
  return { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) }
})
