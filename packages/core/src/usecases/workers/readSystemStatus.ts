import { Duration, Effect } from "effect"
import type { OrganizationId } from "../../domain/ids.ts"
import type { Backlog } from "../../domain/scanning/Backlog.ts"
import type { Scan } from "../../domain/scanning/Scan.ts"
import { type ReportedWorker, resolveTakeovers } from "../../domain/workers/Worker.ts"
import type { MailQueue } from "../../ports/MailStore.ts"
import { readMailQueue } from "../mail/reads.ts"
import { readRunningScans } from "../scanning/reads.ts"
import { listWorkers } from "./listWorkers.ts"

/** The activity of an installation, over all organizations. */
export interface SystemStatus {
  /** Live workers, oldest first. */
  readonly workers: ReadonlyArray<ReportedWorker>
  /** The running scans, oldest first. */
  readonly running: ReadonlyArray<{
    readonly organizationId: OrganizationId
    readonly scan: Scan
    readonly backlog: Backlog
  }>
  /** The state of e-mails, with the failures of the last day. */
  readonly mail: MailQueue
}

/** Reads workers, running scans with their open cells, and the e-mail queue. */
export const readSystemStatus = Effect.fn("readSystemStatus")(function*() {
  const status: SystemStatus = {
    workers: resolveTakeovers(yield* listWorkers()),
    running: yield* readRunningScans(),
    mail: yield* readMailQueue(Duration.days(1))
  }
  return status
})
