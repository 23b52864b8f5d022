/** The result of an experiment: matched-pair difference in differences (docs/experiments.md, section "The sum"). */
import type { KeywordId } from "../ids.ts"
import type { PlatformId } from "../platforms/Platform.ts"
import { type Break, findBreaks, listOrigins } from "../scoring/breaks.ts"
import { cellMean, type ScoredCell, scoreRow, sum } from "../scoring/cells.ts"
import { cellKey } from "../scoring/commonCells.ts"
import type { Interval } from "../scoring/intervals.ts"
import { meanOf } from "../scoring/panel.ts"
import { studentTail, t95 } from "../scoring/studentT.ts"
import type { Pair } from "./draw.ts"

/** The rise of the treated topics beyond that of the held-out topics, in points. */
export interface ShownEffect {
  readonly points: number
  readonly interval: Interval
  /** The probability of a difference at least this large if the change has no effect. */
  readonly p: number
  readonly pairs: number
}

export const experimentVerdicts = ["rise", "fall", "no_effect", "broken"] as const
export type ExperimentVerdict = typeof experimentVerdicts[number]

export interface ExperimentResult {
  readonly verdict: ExperimentVerdict
  /** Why the experiment has no verdict; null if it has one. */
  readonly broken: string | null
  /** Null if the experiment is broken. */
  readonly effect: ShownEffect | null
  readonly platforms: ReadonlyArray<{ readonly platform: PlatformId; readonly effect: ShownEffect | null }>
  /**
   * The same estimate for a time without a change: the later half of the scans before the change against the earlier
   * half. Null for fewer than two scans.
   */
  readonly placebo: ShownEffect | null
  /** The shares of the treated and the held-out topics in each scan, oldest first, in percent. */
  readonly course: ReadonlyArray<{ readonly treated: number | null; readonly heldOut: number | null }>
}

type Scan = ReadonlyArray<ScoredCell>

/** Minimum number of pairs with answers before and after the change. */
const minPairs = 5

const meansOf = (scans: ReadonlyArray<Scan>): ReadonlyMap<string, number> =>
  new Map(
    [...Map.groupBy(scans.flat(), cellKey)].map(([key, cells]) => [
      key,
      meanOf(cells.map((cell) => cellMean(cell, scoreRow)))
    ])
  )

/**
 * The mean over pairs of the treated topic's change minus the held-out topic's change, and its t test with pairs − 1
 * degrees of freedom. The change of a topic is the mean over its cells that have answers before and after. Null for
 * fewer than five pairs.
 */
export const estimateEffect = (
  pairs: ReadonlyArray<Pair>,
  before: ReadonlyArray<Scan>,
  after: ReadonlyArray<Scan>
): ShownEffect | null => {
  const [then, now] = [meansOf(before), meansOf(after)]
  const changes = new Map<string, Array<number>>()
  for (const { keywordId, platform } of new Map(after.flat().map((cell) => [cellKey(cell), cell])).values()) {
    const key = cellKey({ keywordId, platform })
    if (!then.has(key)) continue
    const own = changes.get(keywordId) ?? []
    changes.set(keywordId, own)
    own.push(now.get(key)! - then.get(key)!)
  }
  const changeOf = (keywords: ReadonlyArray<KeywordId>) => meanOf(keywords.flatMap((one) => changes.get(one) ?? []))
  const differences = pairs.map(({ held_out, treated }) => changeOf(treated) - changeOf(held_out))
    .filter((difference) => !Number.isNaN(difference))
  const n = differences.length
  if (n < minPairs) return null
  const points = sum(differences) / n
  const error = Math.sqrt(sum(differences.map((one) => (one - points) ** 2)) / (n - 1) / n)
  const half = t95(n - 1) * error
  const p = error > 0 ? studentTail(points / error, n - 1) : points === 0 ? 1 : 0
  return { points, interval: { low: points - half, high: points + half }, p, pairs: n }
}

/** The first break in the series of an experiment's scans; null if all scans form one series. */
const findBreak = (scans: ReadonlyArray<Scan>): Break | null => {
  const origins = scans.map((cells) => listOrigins(cells.flatMap(({ rows }) => rows)))
  for (const [i, own] of origins.entries()) {
    // Compares with all earlier scans, because the scan before may have no answers on a platform
    const [found] = origins.slice(0, i).toReversed().flatMap((earlier) => findBreaks(earlier, own))
    if (found !== undefined) return found
  }
  return null
}

/** Selects the cells of an experiment's questions. */
const select = (pairs: ReadonlyArray<Pair>, scans: ReadonlyArray<Scan>): ReadonlyArray<Scan> => {
  const chosen = new Set(pairs.flatMap(({ held_out, treated }) => [...treated, ...held_out]))
  return scans.map((cells) => cells.filter(({ keywordId }) => chosen.has(keywordId)))
}

const shareOf = (cells: Scan, keywords: ReadonlySet<KeywordId>): number | null => {
  const share = meanOf(cells.filter(({ keywordId }) => keywords.has(keywordId)).map((cell) => cellMean(cell, scoreRow)))
  return Number.isNaN(share) ? null : share
}

const changedThing: { readonly [reason in Break["reason"]]: string } = {
  model: "its model",
  search: "web search",
  engine: "its search engine",
  market: "its market",
  persona: "its persona"
}

/** The result from the scans before and after the change, oldest first. */
export const evaluateExperiment = (
  pairs: ReadonlyArray<Pair>,
  scans: { readonly before: ReadonlyArray<Scan>; readonly after: ReadonlyArray<Scan> }
): ExperimentResult => {
  const [before, after] = [select(pairs, scans.before), select(pairs, scans.after)]
  const all = [...before, ...after]
  const broken = (reason: string): ExperimentResult => ({
    verdict: "broken",
    broken: reason,
    effect: null,
    platforms: [],
    placebo: null,
    course: []
  })
  if (before.length === 0 || after.length === 0) {
    return broken(`no scan of all questions ${before.length === 0 ? "before the change" : "after the change"}`)
  }
  const changed = findBreak(all)
  if (changed !== null) {
    return broken(
      `${changed.platform} changed ${changedThing[changed.reason]} from ${changed.before} to ${changed.after}`
    )
  }
  const effect = estimateEffect(pairs, before, after)
  if (effect === null) return broken(`fewer than ${minPairs} pairs have answers before and after the change`)
  const half = Math.floor(before.length / 2)
  const ofPlatform = (platform: PlatformId, some: ReadonlyArray<Scan>) =>
    some.map((cells) => cells.filter((cell) => cell.platform === platform))
  const platforms = [...new Set(all.flat().map(({ platform }) => platform))].toSorted()
  const [treated, heldOut] = [
    new Set(pairs.flatMap((pair) => pair.treated)),
    new Set(pairs.flatMap((pair) => pair.held_out))
  ]
  return {
    verdict: effect.p > 0.05 ? "no_effect" : effect.points > 0 ? "rise" : "fall",
    broken: null,
    effect,
    platforms: platforms.map((platform) => ({
      platform,
      effect: estimateEffect(pairs, ofPlatform(platform, before), ofPlatform(platform, after))
    })),
    placebo: half === 0 ? null : estimateEffect(pairs, before.slice(0, half), before.slice(half)),
    course: all.map((cells) => ({ treated: shareOf(cells, treated), heldOut: shareOf(cells, heldOut) }))
  }
}
