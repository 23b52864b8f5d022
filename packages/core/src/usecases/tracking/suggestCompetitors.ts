import { Effect, Stream } from "effect"
import type { OrganizationId, ScanId } from "../../domain/ids.ts"
import { brandedAmong } from "../../domain/measuring/measureAnswer.ts"
import type { HistoryWindow } from "../../domain/organizations/HistoryWindow.ts"
import { isSameKind, type Scan } from "../../domain/scanning/Scan.ts"
import { keywordStatuses } from "../../domain/tracking/Keyword.ts"
import { type FoundNames, type ReadAnswer, SuggestionSearch } from "../../domain/tracking/untracked/SuggestionSearch.ts"
import { KeywordStore } from "../../ports/KeywordStore.ts"
import type { NewestMeasured } from "../../ports/MeasurementStore.ts"
import { ScanStore } from "../../ports/ScanStore.ts"
import { TrackedSetStore } from "../../ports/TrackedSetStore.ts"
import { readNewest } from "../measuring/readNewest.ts"
import { readTrackedSet } from "./reads.ts"
import { takeTurns } from "./takeTurns.ts"

/** Brands that answers name but the organization does not track. */
export interface Suggestions extends FoundNames {
  /** The newest scan that was read; null if no scan was read. */
  readonly newestScan: ScanId | null
  /** Number of scans and answers that were read. */
  readonly scans: number
  readonly answers: number
  /** Whether the answers are simulated. */
  readonly simulated: boolean
  /** Whether older scans, or answers of the only scan that is read, were left out. */
  readonly isPart: boolean
  /** Number of answers that were left out because they are too long. */
  readonly tooLong: number
}

/** Which answers are read. */
export interface SuggestionScope {
  /**
   * Maximum number of answers, taken from the newest completed scans; from a larger scan, only this many answers are
   * read.
   */
  readonly maxAnswers: number
  /** Maximum length of an answer in UTF-16 units; longer answers are left out. By default all are read. */
  readonly maxLength?: number
}

const scansPerPage = 100

/**
 * Maximum number of answers in which new names are searched: the newest scans up to this number, but at least the
 * newest scan. Answers of older scans are read only once, to count the names that were found.
 */
const maxSearched = 5000

/**
 * The newest completed scans of the standard view with the newest scan's kind and surface, up to this number of
 * answers, and whether there are more.
 */
export const listScansToRead = Effect.fnUntraced(
  function*(organizationId: OrganizationId, window: HistoryWindow, maxAnswers: number) {
    const store = yield* ScanStore
    const found: Array<Scan> = []
    let answers = 0
    while (true) {
      const last = found.at(-1)
      const page = yield* store.list(organizationId, {
        limit: scansPerPage,
        status: "completed",
        standard: true,
        since: window.since,
        ...last === undefined ? {} : { before: last, simulated: last.simulated, series: last }
      })
      for (const scan of page) {
        const first = found[0] ?? scan
        if (!isSameKind(scan, first)) continue
        if (found.length > 0 && answers + scan.cellCount > maxAnswers) return { scans: found, isPart: true }
        found.push(scan)
        answers += scan.cellCount
      }
      if (page.length < scansPerPage) return { scans: found, isPart: answers > maxAnswers }
    }
  }
)

/**
 * Splits the scans into those in which names are searched, and older scans in which only the names found are counted.
 */
const splitScans = (scans: ReadonlyArray<Scan>): readonly [ReadonlyArray<Scan>, ReadonlyArray<Scan>] => {
  let answers = 0
  const end = scans.findIndex(({ cellCount }, n) => (answers += cellCount) > maxSearched && n > 0)
  return end === -1 ? [scans, []] : [scans.slice(0, end), scans.slice(end)]
}

/**
 * Searches the answers of the newest completed scans within the window for brands that are not tracked: names that
 * stand out in answers to at least two keywords, counted in all answers by the rules of measuring. Tracked and ignored
 * names are left out. Answers are read page by page, the newest 5,000 twice and older ones once, which counts as twice.
 * `onRead` receives the number of answers read. Fails with NotReady if no brand is set.
 */
export const suggestCompetitors = Effect.fn("suggestCompetitors")(function*(
  organizationId: OrganizationId,
  window: HistoryWindow,
  { maxAnswers, maxLength = Infinity }: SuggestionScope,
  onRead: (answers: number) => void
) {
  const set = yield* readTrackedSet(organizationId)
  const ignored = yield* (yield* TrackedSetStore).listIgnored(organizationId)
  const { isPart, scans } = yield* listScansToRead(organizationId, window, maxAnswers)
  const search = new SuggestionSearch(set, ignored.map(({ name }) => name))
  const readAll = Effect.fnUntraced(function*(
    scans: ReadonlyArray<Scan>,
    use: (answer: ReadAnswer) => void,
    times = 1
  ) {
    let answers = 0
    let tooLong = 0
    const readPage = Effect.fnUntraced(function*(page: ReadonlyArray<NewestMeasured>) {
      const short = page.filter(({ rawResponse }) => rawResponse.length <= maxLength)
      tooLong += page.length - short.length
      yield* takeTurns(short, use)
      answers += page.length
      onRead(times * page.length)
    })
    for (const { id } of scans) {
      yield* Stream.runForEach(readNewest(organizationId, id, { limit: maxAnswers - answers }), readPage)
    }
    return { read: answers - tooLong, tooLong }
  })
  const [searched, older] = splitScans(scans)
  const newest = yield* readAll(searched, (answer) => search.read(answer))
  yield* readAll(searched, (answer) => search.count(answer))
  const counted = yield* readAll(older, (answer) => search.count(answer), 2)
  const keywords = yield* (yield* KeywordStore).list(organizationId, keywordStatuses)
  const suggestions: Suggestions = {
    ...search.list(brandedAmong(set, keywords)),
    newestScan: scans[0]?.id ?? null,
    scans: scans.length,
    answers: newest.read + counted.read,
    simulated: scans[0]?.simulated ?? false,
    isPart,
    tooLong: newest.tooLong + counted.tooLong
  }
  return suggestions
})
