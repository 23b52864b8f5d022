import { Effect } from "effect"
import { listRunningScans } from "./listRunningScans.ts"
import { readBacklog } from "./readBacklog.ts"

/** The running scans of every organization, the oldest first, each with what is open of it. */
export const readRunningScans = Effect.fn("readRunningScans")(function*() {
  return yield* Effect.forEach(
    yield* listRunningScans(),
    ({ organizationId, scan }) =>
      Effect.map(readBacklog(organizationId, scan.id), (backlog) => ({ organizationId, scan, backlog }))
  )
})
