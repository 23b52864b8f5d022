import { Duration, Effect } from "effect"
import { estimateSeconds } from "../../domain/scanning/startRequest.ts"
import type { AnswerPlatform } from "../../ports/AnswerPlatform.ts"
import { UsageStore } from "../../ports/UsageStore.ts"

/** How long platforms will take to answer `cells` questions each, in seconds, by their settings or their last answers. */
export const estimateScanSeconds = Effect.fnUntraced(
  function*(platforms: ReadonlyArray<AnswerPlatform>, cells: number) {
    const recent = yield* (yield* UsageStore).recent(platforms.every((platform) => platform.simulated))
    const known = new Map(recent.map(({ latencyP50, platform }) => [platform, latencyP50]))
    return estimateSeconds(
      platforms.map(({ concurrency, id, latency }) => ({
        cells,
        concurrency,
        latencyMs: latency === undefined ? known.get(id) ?? null : Duration.toMillis(latency)
      }))
    )
  }
)
