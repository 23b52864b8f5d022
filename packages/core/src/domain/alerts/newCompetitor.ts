/**
 * Rule `new_competitor`: answers name an untracked brand that earlier scans did not name (docs/alerts.md).
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

/** An untracked name in the answers of a scan, with the cells of earlier scans that name it. */
export interface SightedName {
  readonly name: string
  /** The name in comparison form. */
  readonly form: string
  /** The share of voice that the name would have if it were tracked, 0–100. */
  readonly share: number
  /** At most two answers that contain the name. */
  readonly answers: ReadonlyArray<AnswerId>
  readonly cells: ReadonlyArray<NamingCell>
  /**
   * The cells of earlier scans that name it, newest first, back to a scan in which answers to several questions name
   * it.
   */
  readonly earlier: ReadonlyArray<{ readonly scanId: ScanId; readonly cells: ReadonlyArray<NamingCell> }>
}

/** The untracked names of a scan. */
export interface UntrackedNames {
  /** At most 50 broad names (see `isBroad`), sorted by descending share. */
  readonly names: ReadonlyArray<SightedName>
  /** The keys of the cells whose answers were searched (`cellKey`). */
  readonly cells: ReadonlySet<string>
}

/** The value for a scan whose answers were not searched for untracked names. */
export const noUntrackedNames: UntrackedNames = { names: [], cells: new Set() }

/**
 * The memory of the rule: new names that may be noise, by comparison form, each with the number of scans still to wait.
 */
export interface NewCompetitorState {
  readonly waiting: { readonly [form: string]: number }
}

/** A name that is new in a scan. */
export interface NewName {
  readonly sighted: SightedName
  /** The compared cells that contain the name. */
  readonly cells: ReadonlyArray<NamingCell>
  readonly z: number
  readonly confirmed: boolean
}

/** Minimum number of cells that must contain a new name; chance alone fills 2 cells far more often (docs/alerts.md). */
const minCells = 3
/**
 * Minimum number of keywords, and of platforms if several are compared, because a single keyword or platform may
 * suggest a name.
 */
const [minKeywords, minPlatforms] = [2, 2]
/** Number of scans that the rule waits for a name that may be noise. */
const maxWaited = maxNoisePairs

export const countKeywords = (cells: ReadonlyArray<NamingCell>): number =>
  new Set(cells.map(({ keywordId }) => keywordId)).size

export const listPlatforms = (cells: ReadonlyArray<NamingCell>): ReadonlyArray<PlatformId> =>
  [...new Set(cells.map(({ platform }) => platform))].toSorted()

/** Whether enough cells and keywords contain a name for it to count as new. */
const isBroad = ({ cells, keywords }: { readonly cells: number; readonly keywords: number }): boolean =>
  cells >= minCells && keywords >= minKeywords

/** Minimum confidence of a name in an alert: nine of ten such names are brands (docs/suggestions.md). */
const minConfidence = 0.8

/** Whether a suggested name is broad, and almost certainly a brand. */
export const isAlertable = (one: Parameters<typeof isBroad>[0] & { readonly confidence: number }): boolean =>
  one.confidence >= minConfidence && isBroad(one)

/**
 * Whether an earlier scan with these cells already suggests the name, because answers to several keywords contain it.
 */
export const isSuggestedBy = (cells: ReadonlyArray<NamingCell>): boolean => countKeywords(cells) >= minKeywords

/** Whether the name, or another name that it begins with, raises no alert. */
const isSettled = (form: string, settled: ReadonlySet<string>): boolean => {
  const words = form.split(" ")
  return words.some((_, i) => settled.has(words.slice(0, i + 1).join(" ")))
}

/**
 * The sign-flip statistic over the cells that contain the name in only one of the scans: √k if k cells are new and no
 * cell is lost.
 */
const testGain = (before: ReadonlyArray<NamingCell>, after: ReadonlyArray<NamingCell>): number => {
  const [then, now] = [new Set(before.map(cellKey)), new Set(after.map(cellKey))]
  const gained = [...now].filter((key) => !then.has(key)).length
  const lost = [...then].filter((key) => !now.has(key)).length
  return gained + lost === 0 ? 0 : (gained - lost) / Math.sqrt(gained + lost)
}

/**
 * Runs one step of the rule. `common` are the common cells of the scan and the compared scan, `previous`. Only these
 * count, so that a new question does not produce new names.
 *
 * A broad name occurs in at least 3 cells of 2 keywords on 2 platforms (or on the only platform). A broad name is new
 * if no searched earlier scan suggests it and if either no earlier scan contains it or more cells contain it now than
 * chance explains. The gate requires z > 2.326, because a scan contains tens of names, or that the name is broad again
 * in one of the next 4 scans. With fewer than 20 cells it always requires the latter.
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
    /** The combined evidence for these names. */
    evidenceOf: (some: ReadonlyArray<NewName>): Evidence => ({
      confirmed: some.some(({ confirmed }) => confirmed),
      confidence: enough ? "normal" : "low",
      cellsMoved: new Set(some.flatMap(({ cells }) => cells.map(cellKey))).size,
      nCells: compared.size,
      z: Math.max(...some.map(({ z }) => z))
    })
  }
}
