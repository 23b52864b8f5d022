/** Computes the shares in the same answers under each definition of voice. */
import { Effect } from "effect"
import type { CompetitorId, KeywordId, OrganizationId } from "../../domain/ids.ts"
import type { Mention } from "../../domain/measuring/Measurement.ts"
import { groupIntoCells } from "../../domain/scoring/cells.ts"
import {
  estimateVoice,
  isRead,
  type Voice,
  type VoiceColumn,
  voiceDefinitions,
  type VoiceRow
} from "../../domain/scoring/definitions.ts"
import { estimateSentiments } from "../../domain/scoring/sentimentShares.ts"
import { findTopics } from "../../domain/scoring/topics.ts"
import type { CitingRow } from "../../domain/sources/citing.ts"
import type { TrackedSet } from "../../domain/tracking/TrackedSet.ts"
import { MeasurementStore } from "../../ports/MeasurementStore.ts"
import type { ScoredScan } from "../../ports/ScoreStore.ts"
import { TrackedSetStore } from "../../ports/TrackedSetStore.ts"
import { makeMemory } from "../makeMemory.ts"
import { readSourcesOf } from "../sources/readSources.ts"
import { hasSameVersions } from "./readHeadlines.ts"

/**
 * Caches by organization, scan and versions. Citations of a scan's answers may be read later, so an entry is read again
 * after a while.
 */
const memories = makeMemory<Voice>(1_000)
const keptMs = 60_000

const nameOf = (set: Pick<TrackedSet, "competitors">, { entity }: Mention): string =>
  entity === "brand" ? entity : set.competitors[entity]!.id

const countNamed = (set: Pick<TrackedSet, "competitors">, mentions: ReadonlyArray<Mention>): VoiceRow["named"] => {
  const counts = new Map<string, number>()
  for (const mention of mentions) counts.set(nameOf(set, mention), (counts.get(nameOf(set, mention)) ?? 0) + 1)
  return [...counts].map(([name, count]) => ({ name, count }))
}

const listOwners = ({ cited }: CitingRow): VoiceRow["cited"] =>
  [...new Map(cited.map(({ domain, owner }) => [domain, owner])).values()].map((owner) =>
    owner.kind === "own" ? "brand" : owner.kind === "competitor" ? owner.id : null
  )

const formVoice = Effect.fnUntraced(function*(organizationId: OrganizationId, { scan, score }: ScoredScan) {
  const set = (yield* (yield* TrackedSetStore).find(organizationId, score.trackedSetVersion))!
  const { answers, keywords, rows } = yield* readSourcesOf(organizationId, { scans: [scan], versions: score }, {})
  const found = yield* (yield* MeasurementStore).newestMentions(organizationId, answers.map(({ answerId }) => answerId))
  const measured = new Map(found.flatMap((one) => hasSameVersions(one, score) ? [[one.answerId, one]] : []))
  const topics = findTopics(keywords, set)
  const withTopic = <Row extends { readonly keywordId: KeywordId }>(row: Row): Row & { readonly topic?: string } => {
    const topic = topics.get(row.keywordId)
    return topic === undefined ? row : { ...row, topic }
  }
  const voiced = rows.flatMap((row, i) => {
    const own = measured.get(answers[i]!.answerId)
    if (own === undefined) return []
    const { keywordId, platform } = row
    const named = countNamed(set, own.mentions)
    return [{ keywordId, platform, named, cited: listOwners(row), sentiment: own.sentiment }]
  })
  const names: Voice["names"] = [{ id: null, name: set.brand.name }, ...set.competitors]
    .map(({ id, name }) => ({ id: id as CompetitorId | null, name }))
  const columns = voiceDefinitions.map((definition): VoiceColumn => {
    const read = voiced.filter((row) => isRead(definition, row))
    const cells = groupIntoCells(read).map(withTopic)
    return {
      definition,
      answers: read.length,
      shares: estimateVoice(definition, cells, names.map(({ id }) => id ?? "brand"))
    }
  })
  const naming = voiced.filter(({ named }) => named.some(({ name }) => name === "brand"))
  const voice: Voice = { names, columns, sentiment: estimateSentiments(naming.map(withTopic)) }
  return voice
})

const recall = Effect.fnUntraced(function*(organizationId: OrganizationId, scored: ScoredScan, maxAge: number) {
  const { measureVersion, resultsCount, scanId, trackedSetVersion, unmeasuredCount } = scored.score
  const key = [organizationId, scanId, measureVersion, trackedSetVersion, resultsCount, unmeasuredCount].join(" ")
  const memory = memories.of(yield* TrackedSetStore)
  return yield* memory.recall(key, maxAge, formVoice(organizationId, scored))
})

/** Reads the answers of a score under each definition of voice, without branded questions, like the headline. */
export const readVoice = Effect.fn("readVoice")((organizationId: OrganizationId, scored: ScoredScan) =>
  recall(organizationId, scored, keptMs)
)

/**
 * Like `readVoice` without citations. Only citations change while the measured answers stay the same, so this part is
 * read once per score.
 */
export const readMeasuredVoice = Effect.fn("readMeasuredVoice")(
  function*(organizationId: OrganizationId, scored: ScoredScan) {
    const { columns, ...voice } = yield* recall(organizationId, scored, Infinity)
    const measured: Voice = { ...voice, columns: columns.filter(({ definition }) => definition !== "citations") }
    return measured
  }
)
