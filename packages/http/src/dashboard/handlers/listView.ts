/** Reading how a list is looked at. */
import { Effect, Schema } from "effect"
import type { PageRequest } from "../guard/PageRequest.ts"
import { type ListView, maxSearchLength } from "../pages/listView.ts"
import { readFilter, refusedFilter } from "./query.ts"

const PageNumber = Schema.NumberFromString.check(Schema.isInt(), Schema.isBetween({ minimum: 1, maximum: 100_000 }))

/**
 * The view that `q`, `sort` (`name`, or `-name` for the largest first) and `page` name. Refused for another order than
 * `keys` and for a page that is no number.
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
