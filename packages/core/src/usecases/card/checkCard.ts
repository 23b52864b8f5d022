import { Effect, Stream } from "effect"
import { type BusinessCard, cardHash } from "../../domain/card/BusinessCard.ts"
import { checkedFacts } from "../../domain/card/claims/checkedFacts.ts"
import { summarizeDecisions } from "../../domain/card/claims/judgedClaims.ts"
import { judgedFacts, maxJudgedFacts } from "../../domain/card/claims/judgedFacts.ts"
import { readClaims } from "../../domain/card/claims/readClaims.ts"
import {
  type AnswerClaim,
  type CheckedCard,
  compareClaims,
  type FactStanding,
  summarizeClaims
} from "../../domain/card/claims/summarizeClaims.ts"
import type { AnswerId, OrganizationId, ScanId } from "../../domain/ids.ts"
import { compileTerms } from "../../domain/measuring/measureAnswer.ts"
import type { HistoryWindow } from "../../domain/organizations/HistoryWindow.ts"
import type { TrackedSet } from "../../domain/tracking/TrackedSet.ts"
import { BusinessCardStore } from "../../ports/BusinessCardStore.ts"
import type { NewestMeasured } from "../../ports/MeasurementStore.ts"
import { SourceStore } from "../../ports/SourceStore.ts"
import { TrackedSetStore } from "../../ports/TrackedSetStore.ts"
import { makeMemory } from "../makeMemory.ts"
import { readNewest } from "../measuring/readNewest.ts"
import { listNewestScans } from "../sources/readSources.ts"
import { takeTurns } from "../tracking/takeTurns.ts"

/** Maximum number of answers that are read, starting with the newest scans, because each takes some milliseconds. */
export const maxCheckedAnswers = 2_000
/** Maximum length of an answer that is checked; longer answers are left out. */
export const maxCheckedLength = 100_000
/** How many edits of the card are searched for earlier values. */
export const maxCardEdits = 1_000

/** An answer that names the brand, as claims show it. */
type NamingAnswer = Pick<AnswerClaim, "answerId" | "scanId" | "keywordId" | "platform" | "createdAt" | "cited">

/** What the rules found in the answers of the newest comparable scans. */
interface RuledCard {
  readonly scans: CheckedCard["scans"]
  /** The answers that name the brand, by id. */
  readonly naming: ReadonlyMap<AnswerId, NamingAnswer>
  readonly read: number
  readonly facts: ReadonlyArray<FactStanding>
  readonly claims: ReadonlyArray<AnswerClaim>
}

/**
 * The last result by organization. It is valid while the same answers, measured with the same names and rules, are
 * compared with the same card.
 */
const memories = makeMemory<{ readonly key: string; readonly ruled: RuledCard }>(100)

/**
 * Calls `use` with the newest answers of the scans that `isWanted` selects, at most `limit`, and returns their number.
 */
export const readAnswersOf = Effect.fnUntraced(function*(
  organizationId: OrganizationId,
  scanIds: ReadonlyArray<ScanId>,
  { isWanted, limit }: { readonly isWanted: (answer: NewestMeasured) => boolean; readonly limit: number },
  use: (answer: NewestMeasured) => void
) {
  let read = 0
  const pages = Stream.fromIterable(scanIds).pipe(Stream.flatMap((id) => readNewest(organizationId, id)))
  const readPage = Effect.fnUntraced(function*(page: ReadonlyArray<NewestMeasured>) {
    const own = page.filter(isWanted).slice(0, limit - read)
    yield* takeTurns(own, use)
    read += own.length
    return read < limit
  })
  yield* Stream.runForEachWhile(pages, readPage)
  return read
})

/** Compares the card with answers by the rules alone. */
const compareByRules = Effect.fnUntraced(function*(
  organizationId: OrganizationId,
  newest: Effect.Success<ReturnType<typeof listNewestScans>>,
  card: BusinessCard,
  set: Pick<TrackedSet, "brand" | "competitors">
) {
  const cards = yield* BusinessCardStore
  const facts = checkedFacts(card, yield* cards.history(organizationId, { limit: maxCardEdits }))
  const scanIds = newest.scans.map(({ id }) => id)
  const sourced = yield* (yield* SourceStore).ofScans(organizationId, scanIds, newest.versions)
  const naming = new Map(
    sourced.filter(({ brandMentioned }) => brandMentioned).map((
      { answerId, createdAt, keywordId, platform, scanId, sources }
    ): [AnswerId, NamingAnswer] => {
      const cited = sources.flatMap(({ domain, kind }) => kind === "cited" && domain !== null ? [domain] : [])
      return [answerId, { answerId, scanId, keywordId, platform, createdAt, cited: [...new Set(cited)] }]
    })
  )
  const compiled = compileTerms(set.brand, set.competitors, set.brand.excludes)
  const claims: Array<AnswerClaim> = []
  const read = yield* readAnswersOf(organizationId, facts.length === 0 ? [] : scanIds, {
    isWanted: ({ answerId, rawResponse }) => naming.has(answerId) && rawResponse.length <= maxCheckedLength,
    limit: maxCheckedAnswers
  }, ({ answerId, rawResponse }) => {
    for (const claim of readClaims(rawResponse, compiled, facts)) {
      claims.push({ ...claim, ...naming.get(answerId)!, decidedBy: "rules" })
    }
  })
  const ruled: RuledCard = { scans: newest.scans, naming, read, facts: summarizeClaims(facts, claims, read), claims }
  return ruled
})

/** What the rules found, and the facts that only a judge can decide on, with its stored decisions. */
export const readCardBasis = Effect.fnUntraced(
  function*(organizationId: OrganizationId, window: HistoryWindow, count: number) {
    const cards = yield* BusinessCardStore
    const card = yield* cards.current(organizationId)
    const newest = yield* listNewestScans(organizationId, window, count)
    const sets = yield* TrackedSetStore
    const set = (yield* sets.current(organizationId)) ??
      (yield* sets.find(organizationId, newest.versions.trackedSetVersion))!
    const { measureVersion, trackedSetVersion } = newest.versions
    const key = [cardHash(card), set.version, measureVersion, trackedSetVersion, ...newest.scans.map(({ id }) => id)]
      .join(" ")
    const memory = memories.of(sets)
    const last = memory.find(`${organizationId} ${count}`)
    const ruled = last?.key === key ? last.ruled : yield* compareByRules(organizationId, newest, card, set)
    if (ruled !== last?.ruled) memory.keep(`${organizationId} ${count}`, { key, ruled })
    const isRuled = new Set(ruled.facts.map(({ fact }) => fact))
    const unruled = judgedFacts(card, set.brand.name).filter(({ name }) => !isRuled.has(name))
    const facts = unruled.slice(0, maxJudgedFacts)
    const hashes = facts.map(({ hash }) => hash)
    const answers = [...ruled.naming.keys()]
    const decisions = facts.length === 0 ? [] : yield* cards.decisions(organizationId, answers, hashes)
    return { ruled, brand: set.brand.name, facts, factsLeftOut: unruled.length - facts.length, decisions }
  }
)

/**
 * Compares the card with the answers of the newest comparable completed scans that name the brand, including answers to
 * questions that name it. Rules decide; about facts in free text, the decisions that a judge made before
 * (`judgeCard`). Asks no judge. Fails with NoCompletedScan if the window contains no such scan.
 */
export const checkCard = Effect.fn("checkCard")(
  function*(organizationId: OrganizationId, window: HistoryWindow, count: number) {
    const { decisions, facts, factsLeftOut, ruled } = yield* readCardBasis(organizationId, window, count)
    const { claims, naming, scans } = ruled
    const judged = summarizeDecisions(facts, decisions, naming, factsLeftOut)
    const read = Math.max(ruled.read, judged.judge?.answersJudged ?? 0)
    const checked: CheckedCard = {
      scans,
      read,
      unread: ruled.facts.length + facts.length === 0 ? 0 : naming.size - read,
      facts: [...ruled.facts, ...judged.standings],
      claims: [...claims, ...judged.claims].toSorted(compareClaims),
      judge: judged.judge
    }
    return checked
  }
)
