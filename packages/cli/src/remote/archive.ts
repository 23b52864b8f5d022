/** sov archive list|export --url: the raw answers of a server. */
import type { ArchiveFilters, ArchivePage, SovClient, Summary } from "@sov/http/fetch-client"
import { Effect, Stream } from "effect"
import { dateOption, type FilterOptions } from "../archiveFilters.ts"
import { listed, pageWriter, showPage } from "../archiveList.ts"
import { usageError } from "../CliError.ts"
import { checkExport, type ExportOptions, type ExportOrigin, writeExport } from "../exportRows.ts"
import type { GlobalOptions } from "../GlobalOptions.ts"
import { integerOption } from "../integerOption.ts"
import { describeProblem } from "./describeProblem.ts"
import { keywordId } from "./keywordId.ts"
import { call, runRemote } from "./runRemote.ts"

interface ListOptions extends GlobalOptions, FilterOptions {
  readonly limit?: string
  readonly cursor?: string
  readonly all?: boolean
}

/** The filters as they are sent, and as a manifest says them. What is wrong in itself is not sent. */
const filtersOf = Effect.fnUntraced(function*({ keyword, platform, ...bounds }: FilterOptions) {
  const from = bounds.from === undefined ? undefined : yield* dateOption("--from", bounds.from, "from")
  const to = bounds.to === undefined ? undefined : yield* dateOption("--to", bounds.to, "to")
  if (from !== undefined && to !== undefined && from > to) {
    return yield* Effect.fail(usageError("--from is later than --to"))
  }
  const id = keyword === undefined ? undefined : yield* keywordId(keyword)
  const sent: ArchiveFilters = {
    ...id === undefined ? {} : { keyword_id: id },
    ...platform === undefined ? {} : { platform: platform as keyof Summary["platform_breakdown"] },
    ...bounds.from === undefined ? {} : { from: bounds.from },
    ...bounds.to === undefined ? {} : { to: bounds.to }
  }
  const origin: ExportOrigin = {
    organizationId: null,
    ...from === undefined ? {} : { from },
    ...to === undefined ? {} : { to },
    ...id === undefined ? {} : { keywordId: id },
    ...platform === undefined ? {} : { platform }
  }
  return { sent, origin }
})

/** The pages from `cursor` on; the end of the stream ends the request that is under way. */
const pagesOf = (
  sov: SovClient,
  filters: ArchiveFilters,
  limit: number,
  cursor?: string
): Stream.Stream<ArchivePage, ReturnType<typeof describeProblem>> =>
  Stream.unwrap(Effect.map(
    Effect.acquireRelease(Effect.sync(() => new AbortController()), (ending) => Effect.sync(() => ending.abort())),
    ({ signal }) =>
      Stream.fromAsyncIterable(
        sov.archivePages({ ...filters, limit, ...cursor === undefined ? {} : { cursor } }, { signal }),
        describeProblem
      )
  ))

/** sov archive list --url */
export const list = (options: ListOptions) =>
  runRemote(options, ({ out, sov }) =>
    Effect.gen(function*() {
      const limit = yield* integerOption("--limit", options.limit ?? "50", 1, 100)
      const { sent } = yield* filtersOf(options)
      const { cursor } = options
      if (options.all !== true) {
        const page = yield* call((signal) =>
          sov.archive({ ...sent, limit, ...cursor === undefined ? {} : { cursor } }, { signal })
        )
        return showPage(out, listed(out, page.data), page.meta)
      }
      const pages = pageWriter(out)
      let windowStart: string | undefined
      yield* Stream.runForEach(pagesOf(sov, sent, limit, cursor), ({ data, meta }) => {
        const first = windowStart === undefined
        windowStart ??= meta.window_start
        return first || data.length > 0 ? pages.write(listed(out, data)) : Effect.void
      })
      yield* pages.end(windowStart ?? "")
    }))

/** sov archive export --url: the rows that an export of the database has. */
export const exportAll = (options: ExportOptions) =>
  runRemote(options, ({ out, sov }) =>
    Effect.gen(function*() {
      yield* checkExport(options)
      const { origin, sent } = yield* filtersOf(options)
      const rows = Stream.flatMap(pagesOf(sov, sent, 100), ({ data }) => Stream.fromIterable(data))
      yield* writeExport(out, rows, origin, options)
      if (options.out !== "-") {
        out.note("Over REST the manifest has no organization_id, and the answers' seals cannot be checked.")
      }
    }))
