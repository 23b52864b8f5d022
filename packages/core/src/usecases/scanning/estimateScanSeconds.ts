import { Clock, Duration, Effect } from "effect"
import { estimateSeconds } from "../../domain/scanning/startRequest.ts"
import type { AnswerPlatform } from "../../ports/AnswerPlatform.ts"
import { CellStore } from "../../ports/CellStore.ts"
import { type RecentAnswers, UsageStore } from "../../ports/UsageStore.ts"

/** Maximum age of the answers that an estimate uses. */
const recentForMs = 10_000

interface KeptAnswers {
  readonly at: number
  readonly recent: ReadonlyArray<RecentAnswers>
}

/** The last result for each store: one for simulated platforms (true) and one for real ones. */
const kept = new WeakMap<UsageStore["Service"], Map<boolean, KeptAnswers>>()

const readRecent = Effect.fnUntraced(function*(simulated: boolean) {
  const usage = yield* UsageStore
  const at = yield* Clock.currentTimeMillis
  const known = kept.get(usage) ?? new Map<boolean, KeptAnswers>()
  kept.set(usage, known)
  const last = known.get(simulated)
  if (last !== undefined && at >= last.at && at < last.at + recentForMs) return last.recent
  const recent = yield* usage.recent(simulated)
  known.set(simulated, { at, recent })
  return recent
})

/**
 * Estimates how many seconds platforms need to answer `cells` questions each, from their settings or their last
 * answers, and from the running scans.
 */
export const estimateScanSeconds = Effect.fnUntraced(
  function*(platforms: ReadonlyArray<AnswerPlatform>, cells: number) {
    const simulated = platforms.every((platform) => platform.simulated)
    const recent = yield* readRecent(simulated)
    const open = yield* (yield* CellStore).listOpen(simulated)
    const known = new Map(recent.map(({ latencyP50, platform }) => [platform, latencyP50]))
    return estimateSeconds(
      platforms.map(({ concurrency, id, latency }) => ({
        cells,
        concurrency,
        ahead: open.flatMap((one) => one.platform === id ? [one.open] : []),
        latencyMs: latency === undefined ? known.get(id) ?? null : Duration.toMillis(latency)
      }))
    )
  }
)
