/** The reports that share links show, kept for a minute: whoever loads a link again and again has it made once. */
import type { ShareLinkId } from "@sov/core"
import { monotonicMs } from "@sov/core"
import { Effect, Semaphore } from "effect"

/** How long a report is shown as it was made. That a link still works is asked each time. */
const keptMs = 60_000
/** Reports in memory, each of up to some hundred kilobytes, or of megabytes with the texts of answers. */
const maxReports = 20

export const makeSharedReports = () => {
  const turns = Semaphore.makeUnsafe(1)
  const kept = new Map<ShareLinkId, { readonly text: string; readonly until: number }>()
  return {
    /** The report of a link; `make` makes it where there is none of the last minute. One is made at a time. */
    find: <E, R>(id: ShareLinkId, make: Effect.Effect<string, E, R>): Effect.Effect<string, E, R> =>
      turns.withPermits(1)(Effect.gen(function*() {
        const at = yield* monotonicMs
        const found = kept.get(id)
        if (found !== undefined && found.until > at) return found.text
        const text = yield* make
        kept.delete(id)
        kept.set(id, { text, until: at + keptMs })
        if (kept.size > maxReports) kept.delete(kept.keys().next().value!)
        return text
      }))
  }
}

export type SharedReports = ReturnType<typeof makeSharedReports>
