/** Input of rule `new_competitor`: the untracked names in the answers of a scan, and where earlier scans name them. */
import { Effect, Stream } from "effect"
import {
  isAlertable,
  isSuggestedBy,
  type NamingCell,
  type SightedName,
  type UntrackedNames
} from "../../domain/alerts/newCompetitor.ts"
import type { KeywordId, OrganizationId } from "../../domain/ids.ts"
import { brandedAmong, toComparisonForm } from "../../domain/measuring/measureAnswer.ts"
import type { Scan } from "../../domain/scanning/Scan.ts"
import { cellKey } from "../../domain/scoring/commonCells.ts"
import { keywordStatuses } from "../../domain/tracking/Keyword.ts"
import type { TrackedSet } from "../../domain/tracking/TrackedSet.ts"
import { NameTally } from "../../domain/tracking/untracked/NameTally.ts"
import {
  maxSearchedLength,
  type ReadAnswer,
  SuggestionSearch
} from "../../domain/tracking/untracked/SuggestionSearch.ts"
import { maxSuggestedNames } from "../../domain/webhooks/Event.ts"
import { KeywordStore } from "../../ports/KeywordStore.ts"
import { TrackedSetStore } from "../../ports/TrackedSetStore.ts"
import { readNewest } from "../measuring/readNewest.ts"
import { takeTurns } from "../tracking/takeTurns.ts"
import { listEarlierScans } from "./readComparableScans.ts"
import { readAlertRule } from "./reads.ts"

/**
 * Approximate number of answers that are read from a scan. Of a larger scan only a fixed part of its keywords is read,
 * the same part in all scans of that size.
 */
const maxAnswers = 1000
/** Maximum number of answers read from earlier scans. At least one earlier scan is read. */
const maxEarlierAnswers = 10_000

/** Whether a keyword belongs to the part that is read, decided by the random digits at the end of its id. */
const isAmong = (part: number, id: KeywordId): boolean => Number.parseInt(id.slice(-8), 16) < part * 2 ** 32

/** Reads the answers of a scan, or a part of them, and its number of answers. */
const readAnswers = Effect.fnUntraced(
  function*(organizationId: OrganizationId, { id }: Pick<Scan, "id">, part: number) {
    const found: Array<ReadAnswer> = []
    let answers = 0
    yield* Stream.runForEach(readNewest(organizationId, id), (page) =>
      Effect.sync(() => {
        for (const answer of page) {
          if (answer.rawResponse.length <= maxSearchedLength && isAmong(part, answer.keywordId)) found.push(answer)
        }
        answers += page.length
      }))
    return { found, answers }
  }
)

/** Finds the cells of these answers in which each name occurs, by the name's index. */
const tallyNames = Effect.fnUntraced(
  function*(set: TrackedSet, names: ReadonlyArray<string>, answers: ReadonlyArray<ReadAnswer>) {
    const tally = new NameTally(set, names)
    const cells = names.map((): Map<string, NamingCell> => new Map())
    yield* takeTurns(answers, (answer) => {
      const { keywordId, platform } = answer
      for (const index of tally.find(answer.rawResponse, answer.promptUsed).names.keys()) {
        cells[index]!.set(cellKey(answer), { keywordId, platform })
      }
    })
    return cells.map((own): ReadonlyArray<NamingCell> => [...own.values()])
  }
)

/**
 * Searches the answers of a scan for brands that are not tracked, as `suggestCompetitors` does. Counts the broad ones
 * in `earlier`, the preceding scans, newest first, until each is known to be old. Skips names that are ignored now.
 * Only reads: about 1,000 answers of the scan, then about 1,000 of each earlier scan, up to 10,000 in total. Answers of
 * more than 32,768 characters are left out.
 */
export const findUntrackedNames = Effect.fn("findUntrackedNames")(
  function*(organizationId: OrganizationId, scan: Scan, earlier: ReadonlyArray<Scan>, set: TrackedSet) {
    const ignored = yield* (yield* TrackedSetStore).listIgnored(organizationId)
    const keywords = yield* (yield* KeywordStore).list(organizationId, keywordStatuses)
    const part = Math.min(1, maxAnswers / scan.cellCount)
    const { found: answers } = yield* readAnswers(organizationId, scan, part)
    const search = new SuggestionSearch(set, ignored.map(({ name }) => name))
    yield* takeTurns(answers, (answer) => search.read(answer))
    yield* takeTurns(answers, (answer) => search.count(answer))
    const suggested = search.list(brandedAmong(set, keywords)).suggestions.filter(isAlertable).slice(
      0,
      maxSuggestedNames
    )
    const own = yield* tallyNames(set, suggested.map(({ name }) => name), answers)
    const sighted = suggested.map(({ examples, name, share }, index) => ({
      name,
      form: toComparisonForm(name),
      share,
      answers: examples.map(({ answer }) => answer.answerId),
      cells: own[index]!,
      earlier: [] as Array<SightedName["earlier"][number]>
    }))
    let open: typeof sighted = sighted
    let read = 0
    for (const before of earlier) {
      if (open.length === 0 || read >= maxEarlierAnswers) break
      const { answers: count, found } = yield* readAnswers(organizationId, before, part)
      read += count
      const cells = yield* tallyNames(set, open.map(({ name }) => name), found)
      open.forEach((one, index) => one.earlier.push({ scanId: before.id, cells: cells[index]! }))
      open = open.filter((_, index) => !isSuggestedBy(cells[index]!))
    }
    const untracked: UntrackedNames = { names: sighted, cells: new Set(answers.map(cellKey)) }
    return untracked
  }
)

/** Calls `findUntrackedNames` for a completing scan if rule `new_competitor` is enabled; otherwise returns null. */
export const findNamesForAlerts = Effect.fn("findNamesForAlerts")(
  function*(organizationId: OrganizationId, scan: Scan, set: TrackedSet) {
    if (!(yield* readAlertRule(organizationId, "new_competitor")).enabled) return null
    return yield* findUntrackedNames(organizationId, scan, yield* listEarlierScans(organizationId, scan), set)
  }
)
