import { Duration, Effect } from "effect"
import type { OrganizationId } from "../../domain/ids.ts"
import type { Backlog } from "../../domain/scanning/Backlog.ts"
import type { Scan } from "../../domain/scanning/Scan.ts"
import { type ReportedWorker, resolveTakeovers } from "../../domain/workers/Worker.ts"
import type { MailQueue } from "../../ports/MailStore.ts"
import { readMailQueue } from "../mail/reads.ts"
import { readRunningScans } from "../scanning/reads.ts"
import { listWorkers } from "./listWorkers.ts"

/** What goes on in an installation, over all organizations. */
export interface SystemStatus {
  /** Workers that are alive, the oldest first. */
  readonly workers: ReadonlyArray<ReportedWorker>
  /** The oldest first. */
  readonly running: ReadonlyArray<{
    readonly organizationId: OrganizationId
    readonly scan: Scan
    readonly backlog: Backlog
  }>
  /** With the failures of the last day. */
  readonly mail: MailQueue
}

/** Reads workers, running scans with what is open of them, and the queue of e-mails. */
export const readSystemStatus = Effect.fn("readSystemStatus")(function*() {
  const status: SystemStatus = {
    workers: resolveTakeovers(yield* listWorkers()),
    running: yield* readRunningScans(),
    mail: yield* readMailQueue(Duration.days(1))
  }
  return status
})
