import { Effect } from "effect"
import { ScanStore } from "../../ports/ScanStore.ts"

/** The running scans of every organization, the oldest first. */
export const listRunningScans = Effect.fn("listRunningScans")(function*() {
  return yield* (yield* ScanStore).listRunning
})
