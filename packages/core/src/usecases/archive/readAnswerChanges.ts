import { Effect } from "effect"
import { type AlignedSentence, alignSentences } from "../../domain/archive/alignSentences.ts"
import {
  comparePresence,
  countTurnover,
  isBeyondNoise,
  measureDistance,
  type PresenceChange,
  type Samples
} from "../../domain/archive/answerChange.ts"
import type { ArchiveRow } from "../../domain/archive/ArchiveRow.ts"
import type { KeywordId, OrganizationId, ScanId } from "../../domain/ids.ts"
import type { HistoryWindow } from "../../domain/organizations/HistoryWindow.ts"
import type { PlatformId } from "../../domain/platforms/Platform.ts"
import type { Scan } from "../../domain/scanning/Scan.ts"
import { ArchiveStore } from "../../ports/ArchiveStore.ts"
import { type MeasuredScans, MeasurementStore, type MeasurementVersions } from "../../ports/MeasurementStore.ts"
import { ScoreStore } from "../../ports/ScoreStore.ts"
import { SourceStore } from "../../ports/SourceStore.ts"
import { NotFound } from "../errors.ts"
import { compareScans } from "../scoring/compareScans.ts"
import { findKeyword } from "../tracking/reads.ts"

/** Maximum number of scans before the earlier one that show how much answers differ without a change. */
const maxEarlierScans = 4
/** If earlier scans have fewer unchanged cells than this, other cells of the two scans are used instead. */
const enoughUnchanged = 40
/** Maximum number of answers to one question on all platforms: five platforms with five samples. */
const maxAnswers = 100

/** How much unchanged cells differ. */
export interface Unchanged {
  readonly cells: number
  /** The names in any of these cells (`of`), and how many of these appeared or disappeared (`changed`). */
  readonly names: { readonly changed: number; readonly of: number }
  /** Whether other cells of the two scans were used, because there are too few earlier scans. */
  readonly isOfSameScans: boolean
}

/** What changed on one platform. */
export interface CellChange {
  readonly platform: PlatformId
  readonly samples: { readonly before: number; readonly after: number }
  /** Whether the names differ more than in 95 % of unchanged cells; null if there are too few unchanged cells. */
  readonly changed: boolean | null
  readonly unchanged: Unchanged
  readonly names: ReadonlyArray<PresenceChange>
  /** Domains; null if the sources of an answer are not derived. */
  readonly sources: ReadonlyArray<PresenceChange> | null
  /** The first sample that both scans have; null if they share no sample. */
  readonly text: ReadonlyArray<AlignedSentence> | null
}

type Row = MeasuredScans["rows"][number]

const nameOf = ({ brand, competitors }: MeasuredScans["trackedSet"]) => {
  const names = new Map(competitors.map(({ id, name }) => [id as string, name]))
  return ({ brandMentioned, competitorsMentioned }: Row): ReadonlySet<string> =>
    new Set([
      ...brandMentioned ? [brand.name] : [],
      ...competitorsMentioned.flatMap((id) => names.get(id) ?? [])
    ])
}

/** Samples by scan and cell. */
const groupSamples = ({ rows, trackedSet }: MeasuredScans) => {
  const names = nameOf(trackedSet)
  const scans = new Map<ScanId, Map<string, Array<ReadonlySet<string>>>>()
  for (const row of rows) {
    let cells = scans.get(row.scanId)
    if (cells === undefined) scans.set(row.scanId, cells = new Map())
    const key = `${row.platform} ${row.keywordId}`
    const samples = cells.get(key)
    if (samples === undefined) cells.set(key, [names(row)])
    else samples.push(names(row))
  }
  return scans
}

interface CellPair {
  readonly key: string
  readonly before: Samples
  readonly after: Samples
}

type Cells = ReadonlyMap<string, Samples>

const pairCells = (before: Cells | undefined, after: Cells | undefined): ReadonlyArray<CellPair> =>
  [...after ?? []].flatMap(([key, samples]): ReadonlyArray<CellPair> => {
    const earlier = before?.get(key)
    return earlier === undefined ? [] : [{ key, before: earlier, after: samples }]
  })

const judgeNames = (own: CellPair | undefined, earlier: ReadonlyArray<CellPair>, same: ReadonlyArray<CellPair>) => {
  const isOfSameScans = earlier.length < enoughUnchanged
  const pairs = isOfSameScans ? [...earlier, ...same.filter(({ key }) => key !== own?.key)] : earlier
  const unchanged: Unchanged = { cells: pairs.length, names: countTurnover(pairs), isOfSameScans }
  if (own === undefined) return { changed: null, unchanged, names: [] }
  const distances = pairs.map(({ after, before }) => measureDistance(before, after))
  return {
    changed: isBeyondNoise(measureDistance(own.before, own.after), distances),
    unchanged,
    names: comparePresence(own.before, own.after)
  }
}

/** The domains of each answer; null if its sources are not derived. */
const readDomains = Effect.fnUntraced(function*(organizationId: OrganizationId, rows: ReadonlyArray<ArchiveRow>) {
  const store = yield* SourceStore
  const found = yield* Effect.forEach(rows, ({ id }) => store.find(organizationId, id))
  return found.every((one) => one !== null)
    ? found.map(({ sources }) => new Set(sources.flatMap(({ domain }) => domain ?? [])))
    : null
})

const listEarlierScans = Effect.fnUntraced(
  function*(organizationId: OrganizationId, scan: Scan, versions: MeasurementVersions) {
    const found = yield* (yield* ScoreStore).listBefore(organizationId, scan, versions, maxEarlierScans)
    return found.filter(({ measuredCount }) => measuredCount !== null).map(({ scan }) => scan.id).toReversed()
  }
)

/** Reads the answers of one scan to a keyword, by platform and in the order of their samples. */
const readAnswers = Effect.fnUntraced(
  function*(organizationId: OrganizationId, keywordId: KeywordId, scanId: ScanId) {
    const rows = yield* (yield* ArchiveStore).page(organizationId, { keywordId, scanId }, { limit: maxAnswers })
    return Map.groupBy(rows.toReversed(), ({ platform }) => platform)
  }
)

/**
 * Compares the answers to a keyword (id or text) in two completed scans (ids, `latest` or `previous`) on each platform:
 * names, sources and sentences, and whether unchanged cells differ as much. Measures missing answers, and fails, as
 * `compareScans` does.
 */
export const readAnswerChanges = Effect.fn("readAnswerChanges")(function*(
  organizationId: OrganizationId,
  window: HistoryWindow,
  idOrText: string,
  { after: afterId, before: beforeId, platform }: {
    readonly before: string
    readonly after: string
    readonly platform?: PlatformId
  }
) {
  const keyword = yield* findKeyword(organizationId, idOrText)
  const { after, before, measureVersion, trackedSetVersion } = yield* compareScans(
    organizationId,
    window,
    beforeId,
    afterId
  )
  const versions = { measureVersion, trackedSetVersion }
  const earlierIds = yield* listEarlierScans(organizationId, before, versions)
  const ids = [...earlierIds, before.id]
  const measured = (yield* (yield* MeasurementStore).rowsOfScans(organizationId, [...ids, after.id], versions))!
  const samples = groupSamples(measured)
  const earlier = ids.slice(1).flatMap((id, i) => pairCells(samples.get(ids[i]!), samples.get(id)))
  const same = pairCells(samples.get(before.id), samples.get(after.id))
  const [then, now] = [
    yield* readAnswers(organizationId, keyword.id, before.id),
    yield* readAnswers(organizationId, keyword.id, after.id)
  ]
  const platforms = [...new Set([...then.keys(), ...now.keys()])].filter((id) =>
    platform === undefined || id === platform
  )
  if (platforms.length === 0) return yield* new NotFound({ what: "answer", id: keyword.text })
  const cells = yield* Effect.forEach(platforms.toSorted(), (id) =>
    Effect.gen(function*() {
      const [rows, newer] = [then.get(id) ?? [], now.get(id) ?? []]
      const key = `${id} ${keyword.id}`
      const [domains, newDomains] = [
        yield* readDomains(organizationId, rows),
        yield* readDomains(organizationId, newer)
      ]
      const cell: CellChange = {
        platform: id,
        samples: { before: rows.length, after: newer.length },
        ...judgeNames(same.find((one) => one.key === key), earlier, same),
        sources: domains === null || newDomains === null || rows.length === 0 || newer.length === 0
          ? null
          : comparePresence(domains, newDomains),
        text: rows[0] === undefined || newer[0] === undefined
          ? null
          : alignSentences(rows[0].rawResponse, newer[0].rawResponse)
      }
      return cell
    }))
  return { keyword, before, after, earlierScans: earlierIds.length, cells }
})

/** The answers of two scans to one keyword, cell by cell, with what changed. */
export type KeywordAnswerChanges = Effect.Success<ReturnType<typeof readAnswerChanges>>
