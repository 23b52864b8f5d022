import { Effect } from "effect"
import { cardHash } from "../../domain/card/BusinessCard.ts"
import { type AnswerClaim, isMoreThanMisread, statementOf } from "../../domain/card/claims/summarizeClaims.ts"
import type { OrganizationId, ScanId } from "../../domain/ids.ts"
import { type HistoryWindow, historyWindowAt, isInWindow } from "../../domain/organizations/HistoryWindow.ts"
import { type Action, actionId, actionScans } from "../../domain/sources/actions/Action.ts"
import { type ActionMark, type ListedAction, listUnmarked } from "../../domain/sources/actions/ActionMark.ts"
import {
  type ActionRow,
  findActions,
  type FoundActions,
  type ReadPage
} from "../../domain/sources/actions/findActions.ts"
import { actionRulesVersion, type FoundReport, maxFoundActions } from "../../domain/sources/actions/FoundReport.ts"
import type { OwnerLookup } from "../../domain/sources/citing.ts"
import { makeOwnerLookup } from "../../domain/sources/owners.ts"
import { ActionStore } from "../../ports/ActionStore.ts"
import { BusinessCardStore } from "../../ports/BusinessCardStore.ts"
import { OrganizationStore } from "../../ports/OrganizationStore.ts"
import { type AnswerWithSources, SourceStore } from "../../ports/SourceStore.ts"
import { TrackedSetStore } from "../../ports/TrackedSetStore.ts"
import { checkCard } from "../card/checkCard.ts"
import { now } from "../now.ts"
import { readHeadlineHistory } from "../scoring/reads.ts"
import { listNewestScans, readSourcesOf } from "./readSources.ts"
import { readWrittenNames } from "./readWrittenNames.ts"

const shownExamples = 5

/** The recommended next actions. */
export interface ActionReport extends Omit<FoundReport, "actions" | "again"> {
  /** At most `maxActions` actions, without those that marks hide. */
  readonly actions: ReadonlyArray<ListedAction>
  /** The organization's decisions, newest first. */
  readonly marks: ReadonlyArray<ActionMark>
}

/**
 * The pages that the platform used for an answer; null if the platform does not report pages that it read but did not
 * cite.
 */
const readPages = ({ sources }: AnswerWithSources, ownerOf: OwnerLookup): ReadonlyArray<ReadPage> | null =>
  sources.every(({ kind }) => kind !== "retrieved")
    ? null
    : sources.flatMap((source): ReadonlyArray<ReadPage> => {
      if (source.page === null || source.kind === "in_text") return []
      const { kind } = ownerOf(source)
      return kind === "engine" ? [] : [{ own: kind === "own", page: source.page, cited: source.kind === "cited" }]
    })

/**
 * Facts that answers of the newest scan contradict more often than misreading could explain, together with the scan
 * before. One odd answer is no action: answers to two questions have to contradict the fact, or of both scans alike.
 */
const factActions = (
  claims: ReadonlyArray<AnswerClaim>,
  [newest, before]: ReadonlyArray<ScanId>
): ReadonlyArray<Action> => {
  // Nobody has measured how often a judge is wrong, so its claims are no action
  const recent = claims.filter(({ decidedBy, scanId }) =>
    decidedBy === "rules" && (scanId === newest || scanId === before)
  )
  return [...Map.groupBy(recent, ({ fact }) => fact)].flatMap(([fact, stated]): ReadonlyArray<Action> => {
    const own = stated.filter(({ verdict }) => verdict === "contradicts")
    const isAlike = [...Map.groupBy(own, statementOf).values()].some((some) =>
      new Set(some.map(({ scanId }) => scanId)).size > 1
    )
    const keywords = [...new Set(own.map(({ keywordId }) => keywordId))]
    if (!own.some(({ scanId }) => scanId === newest) || (keywords.length < 2 && !isAlike)) return []
    return isMoreThanMisread(own.length, stated.length)
      ? [{
        id: actionId("fact_contradicted", fact),
        rule: "fact_contradicted",
        subject: fact,
        keywords,
        platforms: [...new Set(own.map(({ platform }) => platform))],
        rivals: [],
        answers: own.length,
        examples: own.slice(0, shownExamples).map(({ answerId }) => answerId),
        here: 100 * (1 - own.length / stated.length),
        elsewhere: 100,
        effect: null,
        probability: 0
      }]
      : []
  }).toSorted((a, b) => b.answers - a.answers)
}

/** Reads the data that determines the actions, and the scans that they are based on. */
const readBasis = Effect.fnUntraced(function*(organizationId: OrganizationId, window: HistoryWindow) {
  const card = yield* (yield* BusinessCardStore).current(organizationId)
  // Read before the scans, so that scores added in between change the basis
  const { scores, trackedSetVersion } = yield* (yield* SourceStore).stateOf(organizationId, [])
  const newest = yield* listNewestScans(organizationId, window, actionScans)
  const scans = newest.scans.map(({ id }) => id)
  const { derived, resolvedUrls } = yield* (yield* SourceStore).stateOf(organizationId, scans)
  const ignored = (yield* (yield* TrackedSetStore).listIgnored(organizationId)).map(({ name }) => name)
  const basis = JSON.stringify([cardHash(card), scores, trackedSetVersion, derived, resolvedUrls, scans, ignored])
  return { newest, ignored, basis }
})

/** The actions marked as done that later answers, evaluated without the earlier ones, show again. */
const findAgain = (
  actions: ReadonlyArray<Action>,
  marks: ReadonlyArray<ActionMark>,
  findSince: (since: Date) => FoundActions
): FoundReport["again"] => {
  const ids = new Set(actions.map(({ id }) => id))
  const done = marks.filter(({ id, state }) => state === "done" && ids.has(id))
  return [...Map.groupBy(done, ({ markedAt }) => markedAt.getTime())].flatMap(([markedAt, own]) => {
    const later = new Set(findSince(new Date(markedAt)).actions.map(({ id }) => id))
    return own.filter(({ id }) => later.has(id)).map(({ id }) => ({ id, markedAt }))
  })
}

/** Finds the actions and stores them. */
const formActions = Effect.fnUntraced(function*(
  organizationId: OrganizationId,
  window: HistoryWindow,
  { basis, ignored, newest }: Effect.Success<ReturnType<typeof readBasis>>
) {
  const { answers, keywords, rows, scans, set } = yield* readSourcesOf(organizationId, newest, {})
  const { claims } = yield* checkCard(organizationId, window, 2)
  const ownerOf = makeOwnerLookup(set)
  const scanIds = scans.map(({ id }) => id)
  const written = yield* readWrittenNames(organizationId, scanIds, set, ignored, answers)
  const used = rows.map((row, n): ActionRow => {
    const answer = answers[n]!
    const { answerId, createdAt } = answer
    return {
      ...row,
      answerId,
      createdAt,
      read: readPages(answer, ownerOf),
      written: written.found.get(answerId) ?? null
    }
  })
  const measuredSet = yield* (yield* TrackedSetStore).find(organizationId, newest.versions.trackedSetVersion)
  // Answers still count for competitors that have been removed since
  const nameable = new Map([...measuredSet?.competitors ?? [], ...set.competitors].map(({ id, name }) => [id, name]))
  const competitors = set.competitors.map(({ id }) => id)
  /** The actions that the answers of these scans show, newest first. */
  const findIn = (some: ReadonlyArray<ScanId>) => {
    const ids = new Set(some)
    return findActions(used.filter(({ scanId }) => ids.has(scanId)), some, {
      facts: factActions(claims, some),
      names: written.names,
      competitors
    })
  }
  const found = findIn(scanIds)
  const store = yield* ActionStore
  const marks = yield* store.listMarks(organizationId)
  const [latest] = scans
  const actions = found.actions.slice(0, maxFoundActions)
  const named = new Set(actions.flatMap((one): ReadonlyArray<string> => [...one.keywords, ...one.rivals]))
  const report: FoundReport = {
    version: actionRulesVersion,
    basis,
    scans: [latest.id, ...scans.slice(1).map(({ id }) => id)],
    simulated: latest.simulated,
    since: scans.at(-1)!.startedAt.getTime(),
    asOf: (latest.completedAt ?? latest.startedAt).getTime(),
    answers: rows.length,
    actions,
    candidates: found.candidates,
    again: findAgain(
      actions,
      marks,
      (since) => findIn(scans.filter(({ startedAt }) => startedAt > since).map(({ id }) => id))
    ),
    keywords: keywords.filter(({ id }) => named.has(id)).map(({ id, text }) => ({ id, text })),
    competitors: [...nameable].filter(([id]) => named.has(id)).map(([id, name]) => ({ id, name }))
  }
  yield* store.keep(organizationId, report)
  return report
})

const toReport = Effect.fnUntraced(function*(organizationId: OrganizationId, found: FoundReport) {
  const marks = yield* (yield* ActionStore).listMarks(organizationId)
  const { actions, again, ...rest } = found
  const report: ActionReport = { ...rest, marks, actions: listUnmarked(actions, marks, again, yield* now) }
  return report
})

/**
 * Reads the recommended next actions, from the newest comparable scans. If answers, names and card are the same as in
 * the last call, returns the stored result of that call. Fails with NoCompletedScan if the window contains no such
 * scan.
 */
export const readActions = Effect.fn("readActions")(function*(organizationId: OrganizationId, window: HistoryWindow) {
  const read = yield* readBasis(organizationId, window)
  const kept = yield* (yield* ActionStore).kept(organizationId)
  return yield* toReport(
    organizationId,
    kept?.basis === read.basis ? kept : yield* formActions(organizationId, window, read)
  )
})

/**
 * Reads the actions that `readActions` stored last, without computing any, for pages that also show other data. Null if
 * nothing is stored, or if the window hides one of the scans that they are based on. They can be older than the newest
 * answers: see `asOf`.
 */
export const readKeptActions = Effect.fn("readKeptActions")(
  function*(organizationId: OrganizationId, window: HistoryWindow) {
    const kept = yield* (yield* ActionStore).kept(organizationId)
    return kept !== null && isInWindow(window, new Date(kept.since)) ? yield* toReport(organizationId, kept) : null
  }
)

/**
 * Whether the names or topics changed since the newest scans within the window were measured, so that these scans show
 * fewer actions than they would if they were measured again.
 */
export const haveNamesChanged = Effect.fn("haveNamesChanged")(
  function*(organizationId: OrganizationId, window: HistoryWindow) {
    const { scans } = yield* readHeadlineHistory(organizationId, actionScans, window.since)
    const set = yield* (yield* TrackedSetStore).current(organizationId)
    return set !== null && scans.some(({ score }) => score.trackedSetVersion !== set.version)
  }
)

/** Finds the actions of a scan that has just completed, so that the first reader need not wait for them. */
export const keepActions = Effect.fn("keepActions")(function*(organizationId: OrganizationId) {
  const organization = yield* (yield* OrganizationStore).find(organizationId)
  if (organization !== null) yield* readActions(organizationId, historyWindowAt(organization, yield* now))
})
