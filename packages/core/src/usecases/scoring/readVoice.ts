/** The same answers under each definition of voice. */
import { Clock, Effect } from "effect"
import type { AnswerId, CompetitorId, OrganizationId } from "../../domain/ids.ts"
import type { Mention } from "../../domain/measuring/Measurement.ts"
import { groupIntoCells, type ScoredCell } from "../../domain/scoring/cells.ts"
import {
  estimateVoice,
  isRead,
  type Voice,
  type VoiceColumn,
  voiceDefinitions,
  type VoiceRow
} from "../../domain/scoring/definitions.ts"
import { findTopics } from "../../domain/scoring/topics.ts"
import type { CitingRow } from "../../domain/sources/citing.ts"
import type { TrackedSet } from "../../domain/tracking/TrackedSet.ts"
import { MeasurementStore } from "../../ports/MeasurementStore.ts"
import type { ScoredScan } from "../../ports/ScoreStore.ts"
import { TrackedSetStore } from "../../ports/TrackedSetStore.ts"
import { readSourcesOf } from "../sources/readSources.ts"
import { hasSameVersions } from "./readHeadlines.ts"

interface KnownVoice {
  readonly at: number
  readonly voice: Voice
}

/** By organization, scan and versions: what a scan's answers cite may be read later, so it is read again after a while. */
const known = new Map<string, KnownVoice>()
const maxKnown = 1_000
const maxAgeMillis = 60_000

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
  const mentions = new Map<AnswerId, ReadonlyArray<Mention>>(
    found.flatMap((one) => hasSameVersions(one, score) ? [[one.answerId, one.mentions]] : [])
  )
  const topics = findTopics(keywords)
  const voiced = rows.flatMap((row, i) => {
    const own = mentions.get(answers[i]!.answerId)
    const { keywordId, platform } = row
    return own === undefined ? [] : [{ keywordId, platform, named: countNamed(set, own), cited: listOwners(row) }]
  })
  const names: Voice["names"] = [{ id: null, name: set.brand.name }, ...set.competitors]
    .map(({ id, name }) => ({ id: id as CompetitorId | null, name }))
  const columns = voiceDefinitions.map((definition): VoiceColumn => {
    const read = voiced.filter((row) => isRead(definition, row))
    const cells = groupIntoCells(read).map((cell): ScoredCell<VoiceRow> => {
      const topic = topics.get(cell.keywordId)
      return topic === undefined ? cell : { ...cell, topic }
    })
    return {
      definition,
      answers: read.length,
      shares: estimateVoice(definition, cells, names.map(({ id }) => id ?? "brand"))
    }
  })
  const voice: Voice = { names, columns }
  return voice
})

/** Reads the answers of a score under each definition of voice; branded questions are left out, as in the headline. */
export const readVoice = Effect.fn("readVoice")(function*(organizationId: OrganizationId, scored: ScoredScan) {
  const { measureVersion, resultsCount, scanId, trackedSetVersion, unmeasuredCount } = scored.score
  const key = [organizationId, scanId, measureVersion, trackedSetVersion, resultsCount, unmeasuredCount].join(" ")
  const at = yield* Clock.currentTimeMillis
  const found = known.get(key)
  if (found !== undefined && at - found.at < maxAgeMillis) return found.voice
  const voice = yield* formVoice(organizationId, scored)
  if (known.size >= maxKnown) known.clear()
  known.set(key, { at, voice })
  return voice
})
