import { Effect } from "effect"
import type { AnswerClaim } from "../../domain/card/claims/summarizeClaims.ts"
import type { OrganizationId } from "../../domain/ids.ts"
import type { HistoryWindow } from "../../domain/organizations/HistoryWindow.ts"
import type { Scan } from "../../domain/scanning/Scan.ts"
import { type Action, actionId } from "../../domain/sources/actions/Action.ts"
import {
  type ActionRow,
  findActions,
  type FoundActions,
  type ReadPage
} from "../../domain/sources/actions/findActions.ts"
import type { OwnerLookup } from "../../domain/sources/citing.ts"
import { makeOwnerLookup } from "../../domain/sources/owners.ts"
import type { Keyword } from "../../domain/tracking/Keyword.ts"
import type { TrackedSet } from "../../domain/tracking/TrackedSet.ts"
import type { AnswerWithSources } from "../../ports/SourceStore.ts"
import { checkCard } from "../card/checkCard.ts"
import { readSources } from "./readSources.ts"

/** Newest comparable scans that actions rest on. */
const actionScans = 8
const shownExamples = 5

/** Actions, with the names that they speak of. */
export interface ActionReport extends FoundActions {
  /** Newest first. */
  readonly scans: readonly [Scan, ...ReadonlyArray<Scan>]
  readonly answers: number
  readonly keywords: ReadonlyArray<Keyword>
  readonly competitors: TrackedSet["competitors"]
}

/** The pages that the platform used for an answer; null where it tells none that it only read. */
const readPages = ({ sources }: AnswerWithSources, ownerOf: OwnerLookup): ReadonlyArray<ReadPage> | null =>
  sources.every(({ kind }) => kind !== "retrieved")
    ? null
    : sources.flatMap((source): ReadonlyArray<ReadPage> => {
      if (source.page === null || source.kind === "in_text") return []
      const { kind } = ownerOf(source)
      return kind === "engine" ? [] : [{ own: kind === "own", page: source.page, cited: source.kind === "cited" }]
    })

/** A fact that answers contradict more often than misreading explains. */
const factAction = (fact: string, claims: ReadonlyArray<AnswerClaim>, stated: number): Action => {
  const own = claims.filter((claim) => claim.fact === fact && claim.verdict === "contradicts")
  return {
    id: actionId("fact_contradicted", fact),
    rule: "fact_contradicted",
    subject: fact,
    keywords: [...new Set(own.map(({ keywordId }) => keywordId))],
    platforms: [...new Set(own.map(({ platform }) => platform))],
    rivals: [],
    answers: own.length,
    examples: own.slice(0, shownExamples).map(({ answerId }) => answerId),
    here: 100 * (1 - own.length / stated),
    elsewhere: 100,
    effect: null,
    probability: 0
  }
}

/**
 * What to do next, from the newest comparable scans. Fails with NoCompletedScan where the window shows none.
 */
export const readActions = Effect.fn("readActions")(function*(organizationId: OrganizationId, window: HistoryWindow) {
  const { answers, keywords, rows, scans, set } = yield* readSources(organizationId, window, { scans: actionScans })
  const checked = yield* checkCard(organizationId, window, 1)
  const ownerOf = makeOwnerLookup(set)
  const facts = checked.facts.filter(({ isContradicted }) => isContradicted).map(({ fact, notStated }) =>
    factAction(fact, checked.claims, checked.read - notStated)
  )
  const used = rows.map((row, n): ActionRow => {
    const answer = answers[n]!
    return { ...row, answerId: answer.answerId, createdAt: answer.createdAt, read: readPages(answer, ownerOf) }
  })
  const report: ActionReport = {
    ...findActions(used, scans.map(({ id }) => id), facts),
    scans,
    answers: rows.length,
    keywords,
    competitors: set.competitors
  }
  return report
})
