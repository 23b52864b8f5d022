/**
 * The rules that find actions. Each rule compares answers with other answers to the same questions on the same
 * platforms, by exact tests that are corrected over all its candidates (Holm). Therefore at most 5 % of archives in
 * which nothing can be improved have any action.
 */
import type { CompetitorId } from "../../ids.ts"
import type { Interval } from "../../scoring/intervals.ts"
import { selectByHolm, signTest, stratifiedAtMost, type Stratum } from "../significance.ts"
import { type Action, actionId, type ActionRule, actionRules, minActionAnswers } from "./Action.ts"
import { type ActionRow, distinct, evidenceOf, isRecurring, makeCellKey, percent } from "./actionRows.ts"
import { findLeaders, findSpellings } from "./findNames.ts"
import type { WrittenName } from "./writtenNames.ts"

export type { ActionRow, ReadPage } from "./actionRows.ts"

/**
 * The significance level of a tested rule: they share 5 %. Rules about facts are not among them, because they have
 * their own gate.
 */
const level = 0.05 / (actionRules.length - 1)
const z95 = 1.96
/** Forms the interval of a difference of rates (0–1), in points. */
const points = (middle: number, variance: number, scale: number): Interval => {
  const half = z95 * Math.sqrt(Math.max(0, variance))
  const clip = (value: number) => 100 * scale * Math.max(-1, Math.min(1, value))
  return { low: clip(middle - half), high: clip(middle + half) }
}

/** The interval of the difference of two rates, `a` of `n` less `b` of `m`, in points (Agresti & Caffo 2000). */
const differenceOf = (a: number, n: number, b: number, m: number): Interval => {
  const [p, q] = [(a + 1) / (n + 2), (b + 1) / (m + 2)]
  return points(p - q, p * (1 - p) / (n + 2) + q * (1 - q) / (m + 2), 1)
}

/** Rivals that these answers name without the brand, most frequent first. */
const rivalsOf = (rows: ReadonlyArray<ActionRow>): ReadonlyArray<CompetitorId> => {
  const counts = new Map<CompetitorId, number>()
  for (const { brandMentioned, competitorsMentioned } of rows) {
    if (!brandMentioned) { for (const id of competitorsMentioned) counts.set(id, (counts.get(id) ?? 0) + 1) }
  }
  return [...counts].toSorted(([, a], [, b]) => b - a).map(([id]) => id)
}

const rowsByPage = (rows: ReadonlyArray<ActionRow>, own: boolean): ReadonlyMap<string, ReadonlyArray<ActionRow>> => {
  const found = new Map<string, Array<ActionRow>>()
  for (const row of rows) {
    for (
      const name of new Set(
        row.cited.flatMap(({ owner, page }) =>
          page !== null && (own ? owner.kind === "own" : owner.kind === "third_party") ? [page] : []
        )
      )
    ) {
      const list = found.get(name)
      if (list === undefined) found.set(name, [row])
      else list.push(row)
    }
  }
  return found
}

/** Compares how often answers with and without a page name the brand, over cells with answers of both kinds. */
const comparePage = (exposed: ReadonlyArray<ActionRow>, cells: ReadonlyMap<string, ReadonlyArray<ActionRow>>) => {
  const strata: Array<Stratum> = []
  let [weight, difference, variance, withPage, withNamed, other, otherNamed, all] = [0, 0, 0, 0, 0, 0, 0, 0]
  for (const [cell, rows] of Map.groupBy(exposed, makeCellKey)) {
    const own = cells.get(cell)!
    const [n, drawn, marked] = [own.length, rows.length, own.filter(({ brandMentioned }) => brandMentioned).length]
    const hits = rows.filter(({ brandMentioned }) => brandMentioned).length
    all += n
    if (drawn === n) continue
    strata.push({ n, drawn, marked, hits })
    const rest = n - drawn
    // Mantel and Haenszel's risk difference with Greenland and Robins' variance (1985)
    weight += drawn * rest / n
    difference += ((marked - hits) * drawn - hits * rest) / n
    variance += (hits * (drawn - hits) * rest ** 3 + (marked - hits) * (rest - marked + hits) * drawn ** 3) /
      (drawn * rest * n ** 2)
    withPage += drawn
    withNamed += hits
    other += rest
    otherNamed += marked - hits
  }
  const effect = weight === 0 ? null : points(difference / weight, variance / weight ** 2, withPage / all)
  return { strata, effect, here: percent(withNamed, withPage), elsewhere: percent(otherNamed, other) }
}

/**
 * Finds pages whose citing answers name the brand less often than other answers to the same questions on the same
 * platforms.
 */
const findPages = (
  rows: ReadonlyArray<ActionRow>,
  cells: ReadonlyMap<string, ReadonlyArray<ActionRow>>,
  rule: "page_without_you" | "own_page_not_naming"
): ReadonlyArray<Action> =>
  [...rowsByPage(rows, rule === "own_page_not_naming")].flatMap(([page, exposed]): ReadonlyArray<Action> => {
    if (!isRecurring(exposed)) return []
    const { strata, ...compared } = comparePage(exposed, cells)
    const rivals = rivalsOf(exposed)
    if (strata.length === 0 || (rule === "page_without_you" && rivals.length === 0)) return []
    const without = exposed.filter(({ brandMentioned }) => !brandMentioned)
    return [{
      id: actionId(rule, page),
      rule,
      subject: page,
      ...evidenceOf(without.length === 0 ? exposed : without),
      rivals,
      ...compared,
      probability: stratifiedAtMost(strata)
    }]
  })

/** Finds questions where one rival is named more often than the brand on every platform. */
const findRivals = (rows: ReadonlyArray<ActionRow>): ReadonlyArray<Action> =>
  [...Map.groupBy(rows, ({ keywordId }) => keywordId)].flatMap(([keyword, own]): ReadonlyArray<Action> => {
    const platforms = [...Map.groupBy(own, ({ platform }) => platform).values()]
    if (own.length < minActionAnswers || platforms.length < 2) return []
    return distinct(own.flatMap(({ competitorsMentioned }) => competitorsMentioned)).flatMap((rival) => {
      const isAhead = (row: ActionRow) => !row.brandMentioned && row.competitorsMentioned.includes(rival)
      const isBehind = (row: ActionRow) => row.brandMentioned && !row.competitorsMentioned.includes(rival)
      const lead = (some: ReadonlyArray<ActionRow>) => some.filter(isAhead).length - some.filter(isBehind).length
      const [ahead, behind, n] = [own.filter(isAhead), own.filter(isBehind).length, own.length]
      // Adding half an answer of each kind keeps the interval valid at 0 and 1 (Agresti & Min 2005)
      const gap = (ahead.length - behind) / (n + 2)
      return [{
        id: actionId("rival_leads", `${keyword} ${rival}`),
        rule: "rival_leads" as const,
        subject: keyword,
        ...evidenceOf(ahead),
        rivals: [rival],
        here: percent(own.filter(({ brandMentioned }) => brandMentioned).length, n),
        elsewhere: percent(own.filter(({ competitorsMentioned }) => competitorsMentioned.includes(rival)).length, n),
        effect: points(gap, ((ahead.length + behind + 1) / (n + 2) - gap ** 2) / (n + 2), 1),
        // Rivals that do not lead are also candidates, because a gate over leaders alone would select the luckiest ones
        probability: platforms.every((some) => lead(some) > 0) ? signTest(ahead.length, behind) : 1
      }]
    })
  })

/** Finds questions whose newer answers name the brand less often than older answers on the same platform. */
const findLost = (rows: ReadonlyArray<ActionRow>, scans: ReadonlyArray<ActionRow["scanId"]>): ReadonlyArray<Action> => {
  const newer = new Set(scans.slice(0, Math.floor(scans.length / 2)))
  return [...Map.groupBy(rows, ({ keywordId }) => keywordId)].flatMap(([keyword, own]): ReadonlyArray<Action> => {
    const late = own.filter(({ scanId }) => newer.has(scanId))
    const strata = [...Map.groupBy(own, ({ platform }) => platform).values()].map((some): Stratum => ({
      n: some.length,
      drawn: some.filter(({ scanId }) => newer.has(scanId)).length,
      marked: some.filter(({ brandMentioned }) => brandMentioned).length,
      hits: some.filter(({ brandMentioned, scanId }) => brandMentioned && newer.has(scanId)).length
    })).filter(({ drawn, n }) => drawn > 0 && drawn < n)
    const early = own.length - late.length
    if (strata.length === 0 || own.length < minActionAnswers || late.length === 0 || early === 0) return []
    const named = own.filter(({ brandMentioned }) => brandMentioned).length
    const lateNamed = late.filter(({ brandMentioned }) => brandMentioned).length
    const [before, now] = [(named - lateNamed) / early, lateNamed / late.length]
    const lost = late.filter(({ brandMentioned }) => !brandMentioned)
    return [{
      id: actionId("question_lost", keyword),
      rule: "question_lost",
      subject: keyword,
      ...evidenceOf(lost),
      rivals: rivalsOf(lost),
      here: 100 * now,
      elsewhere: 100 * before,
      effect: differenceOf(named - lateNamed, early, lateNamed, late.length),
      probability: stratifiedAtMost(strata)
    }]
  })
}

/** Finds own pages that answers cite less often than the other pages that were read for the same answers. */
const findUncited = (rows: ReadonlyArray<ActionRow>): ReadonlyArray<Action> => {
  const pages = new Map<string, Array<{ readonly row: ActionRow; readonly stratum: Stratum }>>()
  for (const row of rows) {
    const read = row.read ?? []
    const others = read.filter(({ own }) => !own)
    for (const one of read) {
      if (!one.own || others.length === 0) continue
      const stratum = {
        n: others.length + 1,
        drawn: 1,
        marked: others.filter(({ cited }) => cited).length + Number(one.cited),
        hits: Number(one.cited)
      }
      pages.set(one.page, [...pages.get(one.page) ?? [], { row, stratum }])
    }
  }
  return [...pages].flatMap(([page, found]): ReadonlyArray<Action> => {
    const own = found.map(({ row }) => row)
    if (!isRecurring(own)) return []
    const strata = found.map(({ stratum }) => stratum)
    const cited = strata.filter(({ hits }) => hits > 0).length
    const chances = strata.map(({ hits, marked, n }) => (marked - hits) / (n - 1))
    const expected = chances.reduce((sum, p) => sum + p, 0) / found.length
    const here = cited / found.length
    const variance = (here * (1 - here) + chances.reduce((sum, p) => sum + p * (1 - p), 0) / found.length) /
      found.length
    return [{
      id: actionId("own_page_not_cited", page),
      rule: "own_page_not_cited",
      subject: page,
      ...evidenceOf(found.filter(({ stratum }) => stratum.hits === 0).map(({ row }) => row)),
      rivals: [],
      here: 100 * here,
      elsewhere: 100 * expected,
      effect: points(expected - here, variance, 1),
      probability: stratifiedAtMost(strata)
    }]
  })
}

const gated = (candidates: ReadonlyArray<Action>): ReadonlyArray<Action> => {
  const proven = selectByHolm(candidates.map(({ probability }) => probability), level)
  const clearest = candidates.filter((one, i) => proven[i] && one.answers > 0)
    .toSorted((a, b) => a.probability - b.probability)
  return [...new Map(clearest.toReversed().map((one) => [one.subject, one])).values()]
}

/** The actions that were found, and the number of candidates that were tested. */
export interface FoundActions {
  /** Actions about facts first, then by descending number of answers. */
  readonly actions: ReadonlyArray<Action>
  /** Number of candidates with enough answers to be tested. */
  readonly candidates: number
}

/** What the rules need beside the answers. */
export interface ActionInput {
  /** Actions about contradicted facts, which have their own gate. */
  readonly facts: ReadonlyArray<Action>
  /** Untracked names in the answers. */
  readonly names: ReadonlyArray<WrittenName>
  /** The tracked competitors. */
  readonly competitors: ReadonlyArray<CompetitorId>
}

const nothingElse: ActionInput = { facts: [], names: [], competitors: [] }

/** Finds the actions for the answers of comparable scans (`scans`, newest first). */
export const findActions = (
  rows: ReadonlyArray<ActionRow>,
  scans: ReadonlyArray<ActionRow["scanId"]>,
  { competitors, facts, names }: ActionInput = nothingElse
): FoundActions => {
  const cells = Map.groupBy(rows, makeCellKey)
  const rules: ReadonlyArray<ReadonlyArray<Action>> = [
    findPages(rows, cells, "page_without_you"),
    findRivals(rows),
    findLost(rows, scans),
    findUncited(rows),
    findPages(rows, cells, "own_page_not_naming"),
    findSpellings(rows, names),
    findLeaders(rows, names, competitors)
  ]
  const order = (rule: ActionRule) => actionRules.indexOf(rule)
  const proven = rules.flatMap(gated).toSorted((a, b) => b.answers - a.answers || order(a.rule) - order(b.rule))
  return {
    actions: [...facts, ...proven],
    candidates: facts.length + rules.reduce((sum, { length }) => sum + length, 0)
  }
}
