import { Duration, Effect } from "effect"
import { estimateSeconds } from "../../domain/scanning/startRequest.ts"
import type { AnswerPlatform } from "../../ports/AnswerPlatform.ts"
import { CellStore } from "../../ports/CellStore.ts"
import { type RecentAnswers, UsageStore } from "../../ports/UsageStore.ts"
import { makeMemory } from "../makeMemory.ts"

// What was read last, separately for simulated and real platforms
const recentMemory = makeMemory<ReadonlyArray<RecentAnswers>>(2)
const openMemory = makeMemory<Effect.Success<ReturnType<CellStore["Service"]["listOpen"]>>>(2)

/** Maximum age of the answers that an estimate uses. */
const recentForMs = 10_000
/** Maximum age of the numbers of open cells, because counting them reads each open cell of the server. */
const openForMs = 1_000

/**
 * Estimates how many seconds platforms need to answer `cells` questions each, from their settings or their last
 * answers, and from the running scans.
 */
export const estimateScanSeconds = Effect.fnUntraced(
  function*(platforms: ReadonlyArray<AnswerPlatform>, cells: number) {
    const simulated = platforms.every((platform) => platform.simulated)
    const usage = yield* UsageStore
    const recent = yield* recentMemory.of(usage).recall(String(simulated), recentForMs, usage.recent(simulated))
    const { listOpen } = yield* CellStore
    const open = yield* openMemory.of(usage).recall(String(simulated), openForMs, listOpen(simulated))
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
