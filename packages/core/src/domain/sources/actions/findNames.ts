/** The rules of actions about untracked names: spellings of tracked names, and brands that lead. */
import type { CompetitorId } from "../../ids.ts"
import { signTest, stratifiedAtMost, type Stratum } from "../significance.ts"
import { type Action, actionId } from "./Action.ts"
import { type ActionRow, evidenceOf, isRecurring, makeCellKey, percent } from "./actionRows.ts"
import type { WrittenName } from "./writtenNames.ts"

type Tracked = "brand" | CompetitorId

const names = (row: ActionRow, entity: Tracked): boolean =>
  entity === "brand" ? row.brandMentioned : row.competitorsMentioned.includes(entity)

const citesPageOf = ({ cited }: ActionRow, entity: Tracked): boolean =>
  cited.some(({ owner }) =>
    entity === "brand" ? owner.kind === "own" : owner.kind === "competitor" && owner.id === entity
  )

/** The answers of each cell with and without the spelling, that have `outcome` or not. */
const strataOf = (
  exposed: ReadonlySet<ActionRow>,
  cells: Iterable<ReadonlyArray<ActionRow>>,
  outcome: (row: ActionRow) => boolean
): ReadonlyArray<Stratum> =>
  [...cells].map((rows): Stratum => ({
    n: rows.length,
    drawn: rows.filter((row) => exposed.has(row)).length,
    marked: rows.filter(outcome).length,
    hits: rows.filter((row) => exposed.has(row) && outcome(row)).length
  })).filter(({ drawn, n }) => drawn > 0 && drawn < n)

/**
 * Answers have few places for names, so any other name takes the brand's place at times. Where answers hold two names
 * or more, this at most halves the odds (of 2 places for 13 names: 0.45). A spelling does more. An answer with one
 * name cannot tell them apart.
 */
const minNames = 2
const displacement = 0.25

const countNames = ({ brandMentioned, competitorsMentioned, written }: ActionRow): number =>
  Number(brandMentioned) + competitorsMentioned.length + written!.size

const isShared = (rows: ReadonlyArray<ActionRow>): boolean =>
  rows.reduce((sum, row) => sum + countNames(row), 0) >= minNames * rows.length

/**
 * Spellings that answers write instead of a tracked name. The name of another company stands independently of the
 * tracked name. A spelling stands where the name is missing, or beside citations of its pages.
 */
export const findSpellings = (
  rows: ReadonlyArray<ActionRow>,
  written: ReadonlyArray<WrittenName>
): ReadonlyArray<Action> => {
  const read = rows.filter((row) => row.written !== null)
  const cells = [...Map.groupBy(read, makeCellKey).values()]
  const shared = cells.filter(isShared)
  return written.flatMap(({ name, spells }): ReadonlyArray<Action> => {
    if (spells === null) return []
    const exposed = read.filter((row) => row.written!.has(name))
    const missing = exposed.filter((row) => !names(row, spells))
    if (!isRecurring(missing)) return []
    const own = new Set(exposed)
    const replaces = stratifiedAtMost(strataOf(own, shared, (row) => names(row, spells)), displacement)
    const citing = stratifiedAtMost(strataOf(own, cells, (row) => !citesPageOf(row, spells)))
    const named = read.filter((row) => names(row, spells)).length
    return [{
      id: actionId("spelling_untracked", name),
      rule: "spelling_untracked",
      subject: name,
      ...evidenceOf(missing),
      rivals: spells === "brand" ? [] : [spells],
      here: percent(named, read.length),
      elsewhere: percent(named + missing.length, read.length),
      effect: null,
      // Two tests of one candidate
      probability: Math.min(1, 2 * Math.min(replaces, citing))
    }]
  })
}

/**
 * Brands that more answers name than any tracked competitor, or than the brand if there is no competitor. Only of
 * questions whose answers name the brand or a competitor: others may be about another market.
 */
export const findLeaders = (
  rows: ReadonlyArray<ActionRow>,
  written: ReadonlyArray<WrittenName>,
  competitors: ReadonlyArray<CompetitorId>
): ReadonlyArray<Action> => {
  const isOurs = (row: ActionRow) => row.brandMentioned || competitors.some((id) => names(row, id))
  const ours = new Set(rows.filter(isOurs).map(({ keywordId }) => keywordId))
  const read = rows.filter((row) => row.written !== null && ours.has(row.keywordId))
  const platforms = [...Map.groupBy(read, ({ platform }) => platform).values()]
  const tracked: ReadonlyArray<Tracked> = competitors.length === 0 ? ["brand"] : competitors
  const countOf = (entity: Tracked): number => read.filter((row) => names(row, entity)).length
  const strongest = tracked.toSorted((a, b) => countOf(b) - countOf(a))[0]!
  return written.flatMap(({ name, spells }): ReadonlyArray<Action> => {
    const exposed = read.filter((row) => row.written!.has(name))
    if (spells !== null || !isRecurring(exposed)) return []
    const chanceAgainst = (entity: Tracked): number => {
      const ahead = exposed.filter((row) => !names(row, entity)).length
      const behind = read.filter((row) => names(row, entity) && !row.written!.has(name)).length
      const leads = platforms.every((some) =>
        some.filter((row) => row.written!.has(name)).length > some.filter((row) => names(row, entity)).length
      )
      return leads ? signTest(ahead, behind) : 1
    }
    return [{
      id: actionId("untracked_leader", name),
      rule: "untracked_leader",
      subject: name,
      ...evidenceOf(exposed),
      rivals: strongest === "brand" ? [] : [strongest],
      here: percent(countOf(strongest), read.length),
      elsewhere: percent(exposed.length, read.length),
      effect: null,
      // It leads only if it leads all of them
      probability: exposed.length > countOf(strongest) ? Math.max(...tracked.map(chanceAgainst)) : 1
    }]
  })
}
