import { Effect } from "effect"
import { estimateSeconds } from "../../domain/scanning/startRequest.ts"
import type { AnswerPlatform } from "../../ports/AnswerPlatform.ts"
import { UsageStore } from "../../ports/UsageStore.ts"

/** How long platforms will take to answer `cells` questions each, in seconds, by their last answers. */
export const estimateScanSeconds = Effect.fnUntraced(
  function*(platforms: ReadonlyArray<AnswerPlatform>, cells: number) {
    const recent = yield* (yield* UsageStore).recent(platforms.every((platform) => platform.simulated))
    const latency = new Map(recent.map(({ latencyP50, platform }) => [platform, latencyP50]))
    return estimateSeconds(
      platforms.map(({ concurrency, id }) => ({ cells, concurrency, latencyMs: latency.get(id) ?? null }))
    )
  }
)
