/** Reads the search, order and page of a list from the address. */
import { Effect, Schema } from "effect"
import type { PageRequest } from "../guard/PageRequest.ts"
import { type ListView, maxSearchLength } from "../pages/listView.ts"
import { readFilter, refusedFilter } from "./query.ts"

const PageNumber = Schema.NumberFromString.check(Schema.isInt(), Schema.isBetween({ minimum: 1, maximum: 100_000 }))

/**
 * Reads search, order and page of a list from `q`, `sort` (`name`, or `-name` for largest first) and `page`. Refuses an
 * order that is not in `keys`, and a page that is not a number.
 */
export const readListView = Effect.fnUntraced(function*<const Key extends string>(
  request: Pick<PageRequest, "query">,
  keys: ReadonlyArray<Key>,
  usual: Pick<ListView<NoInfer<Key>>, "sort" | "descending">
) {
  const given = request.query.get("sort") ?? ""
  const name = given.replace(/^-/, "")
  const sort = keys.find((key) => key === name)
  if (given !== "" && sort === undefined) return yield* refusedFilter("sort")
  const page: number = (yield* readFilter(request, "page", PageNumber)) ?? 1
  const view: ListView<Key> = {
    q: (request.query.get("q") ?? "").slice(0, maxSearchLength),
    ...sort === undefined ? usual : { sort, descending: given.startsWith("-") },
    page
  }
  return view
})
