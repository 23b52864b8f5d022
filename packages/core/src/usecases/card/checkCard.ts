import { Effect, Stream } from "effect"
import { cardHash } from "../../domain/card/BusinessCard.ts"
import { checkedFacts } from "../../domain/card/claims/checkedFacts.ts"
import { type Claim, readClaims } from "../../domain/card/claims/readClaims.ts"
import { type AnswerClaim, type CheckedCard, summarizeClaims } from "../../domain/card/claims/summarizeClaims.ts"
import type { OrganizationId } from "../../domain/ids.ts"
import { compileTerms } from "../../domain/measuring/measureAnswer.ts"
import type { HistoryWindow } from "../../domain/organizations/HistoryWindow.ts"
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

const order: { readonly [V in Claim["verdict"]]: number } = { contradicts: 0, out_of_date: 1, agrees: 2 }

/** The last result by organization. It is valid while the same answers are compared with the same card. */
const memory = makeMemory<{ readonly key: string; readonly checked: CheckedCard }>(100)

/**
 * Compares the card with the answers of the newest comparable completed scans that name the brand, including answers to
 * questions that name it. Fails with NoCompletedScan if the window contains none.
 */
export const checkCard = Effect.fn("checkCard")(
  function*(organizationId: OrganizationId, window: HistoryWindow, count: number) {
    const cards = yield* BusinessCardStore
    const card = yield* cards.current(organizationId)
    const newest = yield* listNewestScans(organizationId, window, count)
    const sets = yield* TrackedSetStore
    const set = (yield* sets.current(organizationId)) ??
      (yield* sets.find(organizationId, newest.versions.trackedSetVersion))!
    const key = [cardHash(card), set.version, ...newest.scans.map(({ id }) => id)].join(" ")
    const last = memory.find(`${organizationId} ${count}`)
    if (last?.key === key) return last.checked
    const facts = checkedFacts(card, yield* cards.history(organizationId, { limit: maxCardEdits }))
    const sourced = yield* (yield* SourceStore).ofScans(
      organizationId,
      newest.scans.map(({ id }) => id),
      newest.versions
    )
    const naming = new Map(sourced.filter(({ brandMentioned }) => brandMentioned).map((one) => [one.answerId, one]))
    const compiled = compileTerms(set.brand, set.competitors, set.brand.excludes)
    const claims: Array<AnswerClaim> = []
    let read = 0
    const pages = Stream.fromIterable(facts.length === 0 ? [] : newest.scans).pipe(
      Stream.flatMap(({ id }) => readNewest(organizationId, id))
    )
    const readPage = Effect.fnUntraced(function*(page: ReadonlyArray<NewestMeasured>) {
      const own = page
        .filter(({ answerId, rawResponse }) => naming.has(answerId) && rawResponse.length <= maxCheckedLength)
        .slice(0, maxCheckedAnswers - read)
      yield* takeTurns(own, ({ answerId, rawResponse }) => {
        const { createdAt, keywordId, platform, scanId, sources } = naming.get(answerId)!
        const cited = [
          ...new Set(sources.flatMap(({ domain, kind }) => kind === "cited" && domain !== null ? [domain] : []))
        ]
        for (const claim of readClaims(rawResponse, compiled, facts)) {
          claims.push({ ...claim, answerId, scanId, keywordId, platform, createdAt, cited })
        }
      })
      read += own.length
      return read < maxCheckedAnswers
    })
    yield* Stream.runForEachWhile(pages, readPage)
    const checked: CheckedCard = {
      scans: newest.scans,
      read,
      unread: facts.length === 0 ? 0 : naming.size - read,
      facts: summarizeClaims(facts, claims, read),
      claims: claims.toSorted((a, b) =>
        order[a.verdict] - order[b.verdict] || b.createdAt.getTime() - a.createdAt.getTime()
      )
    }
    memory.keep(`${organizationId} ${count}`, { key, checked })
    return checked
  }
)
