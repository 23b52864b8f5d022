/** Facts of the business card that answers of two scans in a row contradict in the same way. */
import { Effect, Stream } from "effect"
import { type CheckedFact, checkedFacts } from "../../domain/card/claims/checkedFacts.ts"
import { type Claim, readClaims } from "../../domain/card/claims/readClaims.ts"
import { statementOf } from "../../domain/card/claims/summarizeClaims.ts"
import type { AnswerId, OrganizationId, ScanId } from "../../domain/ids.ts"
import { type CompiledTerms, compileTerms, measureVersion } from "../../domain/measuring/measureAnswer.ts"
import type { Scan } from "../../domain/scanning/Scan.ts"
import type { TrackedSet } from "../../domain/tracking/TrackedSet.ts"
import { type EventData, maxContradictedFacts, maxFactText } from "../../domain/webhooks/Event.ts"
import { BusinessCardStore } from "../../ports/BusinessCardStore.ts"
import { ScoreStore } from "../../ports/ScoreStore.ts"
import { maxCardEdits, maxCheckedLength } from "../card/checkCard.ts"
import { readNewest } from "../measuring/readNewest.ts"
import { takeTurns } from "../tracking/takeTurns.ts"
import { readEventLabels } from "../webhooks/readEventLabels.ts"
import { readAlertRule } from "./reads.ts"

/** Maximum number of answers of a scan that are read. */
const maxRead = 1_000
const shownAnswers = 2

type Contradictions = ReadonlyMap<string, Claim & { readonly answers: ReadonlyArray<AnswerId> }>

/** Reads the contradictions in the answers of a scan, by fact and statement. */
const readContradictions = Effect.fnUntraced(function*(
  organizationId: OrganizationId,
  { id }: Scan,
  compiled: CompiledTerms,
  facts: ReadonlyArray<CheckedFact>
) {
  const found = new Map<string, Claim & { readonly answers: Array<AnswerId> }>()
  yield* Stream.runForEach(readNewest(organizationId, id, { limit: maxRead }), (page) => {
    const short = page.filter(({ rawResponse }) => rawResponse.length <= maxCheckedLength)
    return takeTurns(short, ({ answerId, rawResponse }) => {
      for (const claim of readClaims(rawResponse, compiled, facts)) {
        if (claim.verdict !== "contradicts") continue
        const known = found.get(statementOf(claim))
        if (known === undefined) found.set(statementOf(claim), { ...claim, answers: [answerId] })
        else known.answers.push(answerId)
      }
    })
  })
  return found as Contradictions
})

/**
 * Returns a function that finds the alert of rule `fact_contradicted` for a scan; none if the rule raises none. It is
 * raised if an answer of this scan and an answer of the previous scan contradict a fact in the same way, and the scan
 * before those did not (otherwise it was already reported). Only reads: the card once, and at most 1,000 answers of
 * each scan once.
 */
export const makeContradictionDetector = Effect.fnUntraced(function*(organizationId: OrganizationId, set: TrackedSet) {
  const cards = yield* BusinessCardStore
  const history = yield* cards.history(organizationId, { limit: maxCardEdits })
  const facts = checkedFacts(yield* cards.current(organizationId), history)
  const compiled = compileTerms(set.brand, set.competitors, set.brand.excludes)
  const known = new Map<ScanId, Contradictions>()
  const read = Effect.fnUntraced(function*(scan: Scan) {
    const found = known.get(scan.id) ?? (yield* readContradictions(organizationId, scan, compiled, facts))
    known.set(scan.id, found)
    return found
  })
  return Effect.fnUntraced(function*(scan: Scan) {
    // Rules apply to the standard view only
    if (scan.view !== undefined || facts.length === 0) return []
    const versions = { measureVersion, trackedSetVersion: scan.trackedSetVersion }
    const [before, earlier] = yield* (yield* ScoreStore).listBefore(organizationId, scan, versions, 2)
    if (before === undefined) return []
    const own = yield* read(scan)
    const last = own.size === 0 ? own : yield* read(before.scan)
    const repeated = [...own].filter(([key]) => last.has(key))
    const told = repeated.length === 0 || earlier === undefined ? new Map() : yield* read(earlier.scan)
    const news = repeated.filter(([key]) => !told.has(key)).map(([, claim]) => claim)
      .toSorted((a, b) => b.answers.length - a.answers.length).slice(0, maxContradictedFacts)
    if (news.length === 0) return []
    const cut = (text: string) => text.slice(0, maxFactText)
    const data: EventData<"fact.contradicted"> = {
      scan_id: scan.id,
      previous_scan_id: before.scan.id,
      facts: news.map(({ answers, fact, stated }) => ({
        fact: cut(fact),
        card_says: facts.find(({ name }) => name === fact)!.values.map(({ text }) => cut(text)),
        stated: cut(stated),
        answers: answers.length,
        archive_ids: answers.slice(0, shownAnswers)
      })),
      ...yield* readEventLabels(organizationId, scan)
    }
    return [{ rule: "fact_contradicted" as const, event: "fact.contradicted" as const, data }]
  })
})

/** Detects contradicted facts for a completing scan, if the rule is enabled. */
export const findContradictionsForAlerts = Effect.fn("findContradictionsForAlerts")(
  function*(organizationId: OrganizationId, scan: Scan, set: TrackedSet) {
    const { enabled } = yield* readAlertRule(organizationId, "fact_contradicted")
    return enabled ? yield* (yield* makeContradictionDetector(organizationId, set))(scan) : []
  }
)
