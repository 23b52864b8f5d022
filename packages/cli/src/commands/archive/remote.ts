/** sov archive list|export --url: reads the raw answers from a server. */
import {
  type ArchiveFilters as CoreFilters,
  archiveParameters,
  keepGivenFilters,
  makeManifest,
  manifestFile,
  noRowsExported
} from "@sov/core/archive"
import type { KeywordId } from "@sov/core/common"
import { maxRowsPage } from "@sov/core/common"
import type { PlatformId } from "@sov/core/platforms"
import type { ArchiveFilters, ArchivePage, ArchiveRow, SovClient } from "@sov/http/fetch-client"
import { Effect, Stream } from "effect"
import { resolve } from "node:path"
import { usageError } from "../../CliError.ts"
import { dateRange } from "../../input/dateOption.ts"
import { integerOption } from "../../input/integerOption.ts"
import type { Output } from "../../output/Output.ts"
import { createPartFile } from "../../output/partFile.ts"
import { makeRowProgress } from "../../output/rowProgress.ts"
import { describeProblem } from "../../remote/describeProblem.ts"
import { keywordId } from "../../remote/keywordId.ts"
import { callServer, refuseIf, runRemote } from "../../remote/runRemote.ts"
import { type FilterOptions, filterOptions, type ListOptions } from "./archiveFilters.ts"
import { pageWriter, showPage } from "./archiveList.ts"
import { claimExport } from "./exportLock.ts"
import { finishExport, noteExported } from "./exportManifest.ts"
import {
  checkExportOptions,
  type ExportOptions,
  exportToStdout,
  fileChunkLength,
  writePiece,
  writeRows
} from "./exportRows.ts"
import { makeRowEncoder } from "./rowEncoder.ts"

/**
 * The filters in the form in which they are sent and written to a manifest. Invalid filters are refused before anything
 * is sent.
 */
const parseFilters = Effect.fnUntraced(function*(options: FilterOptions) {
  const { from, to }: Pick<CoreFilters, "from" | "to"> = yield* dateRange(options)
  const id = options.keyword === undefined ? undefined : yield* keywordId(options.keyword)
  const { platform, tag, view } = options
  const sent: ArchiveFilters = Object.fromEntries(
    archiveParameters.map((parameter) => [parameter, options[filterOptions[parameter]]] as const)
      .filter(([, text]) => text !== undefined)
  )
  const filters = keepGivenFilters({
    from,
    to,
    keywordId: id as KeywordId | undefined,
    platform: platform as PlatformId | undefined,
    tag,
    view
  })
  return { sent, filters }
})

/** Streams the pages from `cursor` on. Ending the stream aborts the request in flight. */
const fetchPages = (
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

/** Runs `sov archive list --url`. */
export const list = (options: ListOptions) =>
  runRemote(options, function*({ out, sov }) {
    const { named, notNamed, scan } = options
    yield* refuseIf(
      scan !== undefined || named === true || notNamed === true,
      "REST has no --scan, --named and --not-named: they work on a database only"
    )
    const limit = yield* integerOption("--limit", options.limit ?? "50", 1, maxRowsPage)
    const { sent } = yield* parseFilters(options)
    const { cursor } = options
    if (options.all !== true) {
      const page = yield* callServer((signal) =>
        sov.archive({ ...sent, limit, ...cursor === undefined ? {} : { cursor } }, { signal })
      )
      return showPage(out, page.data, page.meta)
    }
    const pages = pageWriter(out)
    let windowStart: string | undefined
    yield* Stream.runForEach(fetchPages(sov, sent, limit, cursor), ({ data, meta }) => {
      const first = windowStart === undefined
      windowStart ??= meta.window_start
      return first || data.length > 0 ? pages.write(data) : Effect.void
    })
    yield* pages.end(windowStart ?? "")
  })

const exportToFile = Effect.fnUntraced(function*<E, R>(
  out: Output,
  pages: Stream.Stream<ReadonlyArray<ArchiveRow>, E, R>,
  filters: CoreFilters,
  options: ExportOptions
) {
  const file = resolve(options.out)
  yield* claimExport(file)
  const data = yield* createPartFile(file)
  const description = yield* createPartFile(manifestFile(file))
  const progress = makeRowProgress(out, "Exporting", null, "answers")
  const encoder = yield* Effect.promise(() => makeRowEncoder(options.format, { rows: 0, state: null }, fileChunkLength))
  const written = yield* writeRows({
    pages,
    encoder,
    from: noRowsExported,
    onRows: progress.add,
    write: writePiece(options, data)
  }).pipe(Effect.ensuring(Effect.sync(progress.clear)))
  const manifest = yield* finishExport(
    file,
    description,
    Effect.map(
      data.finish,
      (sha256) => makeManifest({ format: options.format, gzip: options.gzip === true, sha256 }, filters, written, null)
    )
  )
  noteExported(out, file, manifest)
  out.note("Over REST an export has no seals: sov archive verify can check the file as a whole only.")
})

/** sov archive export --url: exports the same rows as from the database, without the seals. */
export const exportAll = (options: ExportOptions) =>
  runRemote(options, function*({ out, sov }) {
    if (options.resume === true) {
      return yield* Effect.fail(usageError("an export over REST cannot be resumed", "leave out --resume"))
    }
    yield* checkExportOptions(options)
    const { filters, sent } = yield* parseFilters(options)
    const pages = Stream.map(fetchPages(sov, sent, 100), ({ data }) => data)
    if (options.out !== "-") return yield* exportToFile(out, pages, filters, options)
    yield* exportToStdout(pages, options, makeRowProgress(out, "Exporting", null, "answers").add)
  })
