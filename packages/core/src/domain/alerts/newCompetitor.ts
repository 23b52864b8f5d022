/**
 * Rule `new_competitor`: answers name a brand that nobody tracks and that earlier scans did not name (docs/alerts.md).
 */
import type { AnswerId, KeywordId, ScanId } from "../ids.ts"
import type { PlatformId } from "../platforms/Platform.ts"
import { cellKey, type CommonCells } from "../scoring/commonCells.ts"
import { z99OneSided } from "../scoring/studentT.ts"
import { type Evidence, maxNoisePairs, minGateCells } from "./evidence.ts"

/** A question on a platform. */
export interface NamingCell {
  readonly keywordId: KeywordId
  readonly platform: PlatformId
}

/** An untracked name that answers of a scan suggest, and where the scans before it name it. */
export interface SightedName {
  readonly name: string
  /** Its comparison form. */
  readonly form: string
  /** The share of voice that it would have, 0–100. */
  readonly share: number
  /** At most two that name it. */
  readonly answers: ReadonlyArray<AnswerId>
  readonly cells: ReadonlyArray<NamingCell>
  /** The same of earlier scans, the newest first, up to one that answers to several questions name it in. */
  readonly earlier: ReadonlyArray<{ readonly scanId: ScanId; readonly cells: ReadonlyArray<NamingCell> }>
}

/** What a scan names beside what is tracked. */
export interface UntrackedNames {
  /** At most 50 that are broad, the largest share first. */
  readonly names: ReadonlyArray<SightedName>
  /** The keys of the cells whose answers were read (`cellKey`). */
  readonly cells: ReadonlySet<string>
}

/** What is known of a scan in which nothing was looked for. */
export const noUntrackedNames: UntrackedNames = { names: [], cells: new Set() }

/**
 * What the rule remembers: names by their comparison forms that were new but may be noise, and for how many scans they
 * wait.
 */
export interface NewCompetitorState {
  readonly waiting: { readonly [form: string]: number }
}

/** A name that is new in a scan. */
export interface NewName {
  readonly sighted: SightedName
  /** The cells that name it, of those that are compared. */
  readonly cells: ReadonlyArray<NamingCell>
  readonly z: number
  readonly confirmed: boolean
}

/** The fewest cells that make a name known; 2 of them chance fills far more often (docs/alerts.md). */
const minCells = 3
/**
 * The fewest keywords, and platforms where several are compared: what one of them brings up may be its subject, or its
 * habit.
 */
const [minKeywords, minPlatforms] = [2, 2]
/** Scans that a name which may be noise is waited for. */
const maxWaited = maxNoisePairs

export const countKeywords = (cells: ReadonlyArray<NamingCell>): number =>
  new Set(cells.map(({ keywordId }) => keywordId)).size

export const listPlatforms = (cells: ReadonlyArray<NamingCell>): ReadonlyArray<PlatformId> =>
  [...new Set(cells.map(({ platform }) => platform))].toSorted()

/** Whether a name may be new by how many cells and keywords name it. */
export const isBroad = ({ cells, keywords }: { readonly cells: number; readonly keywords: number }): boolean =>
  cells >= minCells && keywords >= minKeywords

/** Whether an earlier scan with these cells suggests the name already: answers to several keywords name it. */
export const isSuggestedBy = (cells: ReadonlyArray<NamingCell>): boolean => countKeywords(cells) >= minKeywords

/** Whether the name, or one that it begins with, is not to be told. */
const isSettled = (form: string, settled: ReadonlySet<string>): boolean => {
  const words = form.split(" ")
  return words.some((_, i) => settled.has(words.slice(0, i + 1).join(" ")))
}

/** The sign-flip statistic over cells that name it in one scan only: √k where k cells are new and none is lost. */
const testGain = (before: ReadonlyArray<NamingCell>, after: ReadonlyArray<NamingCell>): number => {
  const [then, now] = [new Set(before.map(cellKey)), new Set(after.map(cellKey))]
  const gained = [...now].filter((key) => !then.has(key)).length
  const lost = [...then].filter((key) => !now.has(key)).length
  return gained + lost === 0 ? 0 : (gained - lost) / Math.sqrt(gained + lost)
}

/**
 * One step of the rule. `common` are the cells that the scan has in common with the one before that it is compared
 * with, `previous`; only those count, so that a new question brings nothing new.
 *
 * A name is broad in at least 3 cells of 2 keywords on 2 platforms (or the only one). It is new where it is broad, no
 * earlier scan that was read suggests it, and either none of them names it at all or more cells than chance explains
 * name it now. The gate takes z > 2.326, as a scan has tens of names that chance may pick from; or that the name is
 * broad again in one of the next 4 scans. With fewer than 20 cells it always asks for that.
 */
export const stepNewCompetitor = (
  memory: NewCompetitorState | null,
  common: CommonCells,
  previous: ScanId,
  { cells: read, names }: UntrackedNames,
  settled: ReadonlySet<string>
) => {
  const compared = new Set(common.cells.map(({ after }) => cellKey(after)).filter((key) => read.has(key)))
  const isCompared = (cell: NamingCell): boolean => compared.has(cellKey(cell))
  const waitedFor = memory?.waiting ?? {}
  const enough = compared.size >= minGateCells
  const platforms = Math.min(minPlatforms, listPlatforms(common.cells.map(({ after }) => after)).length)
  const found = names.filter(({ form }) => !isSettled(form, settled)).flatMap((sighted): ReadonlyArray<NewName> => {
    const cells = sighted.cells.filter(isCompared)
    const last = sighted.earlier.find(({ scanId }) => scanId === previous)
    if (!isBroad({ cells: cells.length, keywords: countKeywords(cells) })) return []
    if (listPlatforms(cells).length < platforms) return []
    const z = testGain(last?.cells.filter(isCompared) ?? [], cells)
    const isAgain = Object.hasOwn(waitedFor, sighted.form)
    const isNew = last !== undefined && sighted.earlier.every((scan) => !isSuggestedBy(scan.cells)) &&
      (z > z99OneSided || sighted.earlier.every((scan) => scan.cells.length === 0))
    return isNew || isAgain ? [{ sighted, cells, z, confirmed: isAgain || (enough && z > z99OneSided) }] : []
  })
  const told = new Set(found.filter(({ confirmed }) => confirmed).map(({ sighted }) => sighted.form))
  const stillWaiting = Object.entries(waitedFor).filter(([form, scans]) => scans > 1 && !told.has(form))
  const state: NewCompetitorState = {
    waiting: Object.fromEntries([
      ...stillWaiting.map(([form, scans]) => [form, scans - 1] as const),
      ...found.filter(({ confirmed }) => !confirmed).map(({ sighted }) => [sighted.form, maxWaited] as const)
    ])
  }
  return {
    state,
    names: found,
    /** What speaks for these of the names together. */
    evidenceOf: (some: ReadonlyArray<NewName>): Evidence => ({
      confirmed: some.some(({ confirmed }) => confirmed),
      confidence: enough ? "normal" : "low",
      cellsMoved: new Set(some.flatMap(({ cells }) => cells.map(cellKey))).size,
      nCells: compared.size,
      z: Math.max(...some.map(({ z }) => z))
    })
  }
}
