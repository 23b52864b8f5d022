/** Reads answers for untracked names, as input of the rules of actions. */
import { Effect, Stream } from "effect"
import type { AnswerId, KeywordId, OrganizationId, ScanId } from "../../domain/ids.ts"
import { listWrittenNames, NearSpellings, type WrittenName } from "../../domain/sources/actions/writtenNames.ts"
import type { Names } from "../../domain/tracking/namesChange.ts"
import { NameTally } from "../../domain/tracking/untracked/NameTally.ts"
import {
  maxSearchedLength,
  type ReadAnswer,
  SuggestionSearch
} from "../../domain/tracking/untracked/SuggestionSearch.ts"
import { readNewest } from "../measuring/readNewest.ts"
import { takeTurns } from "../tracking/takeTurns.ts"

/** Maximum number of answers that are read: each takes about a millisecond. */
const maxRead = 1_000
/** Minimum number of scans that are read: names have to recur. */
const minScans = 2

/** The answers to read: of the newest scans, to as many questions as the limit allows in two of them. */
const chooseAnswers = <A extends { readonly scanId: ScanId; readonly keywordId: KeywordId }>(
  rows: ReadonlyArray<A>,
  scans: ReadonlyArray<ScanId>
): ReadonlyArray<A> => {
  const byScan = Map.groupBy(rows, ({ scanId }) => scanId)
  const newest = scans.slice(0, minScans).flatMap((id) => byScan.get(id) ?? [])
  const keywords = new Set<KeywordId>()
  let size = 0
  for (const [keyword, own] of Map.groupBy(newest, ({ keywordId }) => keywordId)) {
    if (size + own.length > maxRead) break
    size += own.length
    keywords.add(keyword)
  }
  return scans.flatMap((id) => (byScan.get(id) ?? []).filter(({ keywordId }) => keywords.has(keywordId)))
    .slice(0, maxRead)
}

/**
 * The untracked names in the newest of these answers, and where they are: by answer, null for answers that were not
 * read. Reads at most 1,000 answers of up to 32,768 characters.
 */
export const readWrittenNames = Effect.fn("readWrittenNames")(function*(
  organizationId: OrganizationId,
  scans: ReadonlyArray<ScanId>,
  set: Names,
  ignored: ReadonlyArray<string>,
  rows: ReadonlyArray<{ readonly answerId: AnswerId; readonly scanId: ScanId; readonly keywordId: KeywordId }>
) {
  const answers: Array<ReadAnswer> = []
  for (const [id, chosen] of Map.groupBy(chooseAnswers(rows, scans), ({ scanId }) => scanId)) {
    const among = chosen.map(({ answerId }) => answerId)
    yield* Stream.runForEach(
      readNewest(organizationId, id, { among }),
      (page) =>
        Effect.sync(() => answers.push(...page.filter(({ rawResponse }) => rawResponse.length <= maxSearchedLength)))
    )
  }
  const search = new SuggestionSearch(set, ignored)
  const near = new NearSpellings(set)
  yield* takeTurns(answers, (answer) => {
    search.read(answer)
    near.read(answer.rawResponse)
  })
  yield* takeTurns(answers, (answer) => search.count(answer))
  // These answers exclude questions that name the brand
  const names: ReadonlyArray<WrittenName> = listWrittenNames(
    set,
    ignored,
    near.list(),
    search.list(new Set()).suggestions
  )
  const tally = new NameTally(set, names.map(({ name }) => name))
  const found = new Map<AnswerId, ReadonlySet<string>>()
  yield* takeTurns(answers, ({ answerId, promptUsed, rawResponse }) => {
    const indexes = tally.find(rawResponse, promptUsed).names.keys()
    found.set(answerId, new Set([...indexes].map((index) => names[index]!.name)))
  })
  const written = new Set([...found.values()].flatMap((some) => [...some]))
  return { names: names.filter(({ name }) => written.has(name)), found }
})
