import { Effect } from "effect"
import { ScanStore } from "../../ports/ScanStore.ts"
import { now } from "../now.ts"
import { makeErrandKind } from "../workers/makeErrandKind.ts"
import { completeWhenDone } from "./completeWhenDone.ts"

/** Completes scans whose last cell ended while its worker died. */
export const sweepKind = makeErrandKind({
  name: "completing scans",
  of: "any",
  look: Effect.gen(function*() {
    const dueAt = yield* now
    return (yield* (yield* ScanStore).listSettled).map((scan) => ({ ...scan, id: scan.scanId, dueAt }))
  }),
  run: ({ organizationId, scanId }) => Effect.as(completeWhenDone(organizationId, scanId), null)
})
