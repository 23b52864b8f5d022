/** What `openSov` takes and gives. */
import type { Effect, Redacted } from "effect"
import type { ArchiveFilters } from "../domain/archive/ArchiveFilters.ts"
import type { ArchiveRow } from "../domain/archive/ArchiveRow.ts"
import type { KeywordId } from "../domain/ids.ts"
import type { Mail } from "../domain/mail/Mail.ts"
import type { Organization } from "../domain/organizations/Organization.ts"
import type { PlanId } from "../domain/organizations/Plan.ts"
import type { PlatformId } from "../domain/platforms/Platform.ts"
import type { TrackingFile } from "../domain/tracking/TrackedSet.ts"
import type { AnswerPlatforms } from "../ports/AnswerPlatform.ts"
import type { DeletionRequest } from "../ports/OrganizationData.ts"
import type { OrganizationLimits } from "../ports/OrganizationStore.ts"
import type { UsageReport } from "../usecases/organizations/readUsage.ts"
import type { ScanProgress } from "../usecases/scanning/followScan.ts"
import type { readScan } from "../usecases/scanning/readScan.ts"
import type { ScoreReport } from "../usecases/scoring/readScoreReport.ts"
import type { CustomPlatform } from "./customPlatform.ts"
import type { Services } from "./Sov.ts"

/** What time it is: for tests, and for a history of scans at other times. Waiting takes as long as ever. */
export type SovClock = () => Date

/** A line of the log. */
export interface LogEntry {
  readonly level: "fatal" | "error" | "warn" | "info" | "debug" | "trace"
  readonly message: string
}

interface CommonOptions {
  /** Slug or id of the organization; left out = the only one, or the one that `initialize` makes. */
  readonly organization?: string
  /** What scans ask: platforms of one's own, or those of `readPlatforms`. Left out = a program that only reads. */
  readonly platforms?: ReadonlyArray<CustomPlatform> | AnswerPlatforms["Service"]
  /** Sends one e-mail; rejects with MailError to say why not. Left out = alerts are recorded and none is sent. */
  readonly mailer?: (mail: Mail, options: { readonly signal: AbortSignal }) => Promise<void>
  readonly clock?: SovClock
  /**
   * Gets what sov logs, from `info` on: pauses of platforms, e-mails that were given up. Left out = nothing is logged.
   */
  readonly log?: (entry: LogEntry) => void
  /** Keys that stored webhook secrets are encrypted with, as in `SOV_ENCRYPTION_KEYS`. */
  readonly encryptionKeys?: string | Redacted.Redacted
  /** Gives up opening. */
  readonly signal?: AbortSignal
}

/** Where the data lies: a directory with the embedded database, or a Postgres server. */
export type OpenOptions =
  & CommonOptions
  & (
    | { readonly dataDir: string; readonly databaseUrl?: never }
    | { readonly databaseUrl: string; readonly dataDir?: never }
  )

interface Stoppable {
  readonly signal?: AbortSignal
}

export interface ScanOptions extends Stoppable {
  /** Times that each keyword is asked on each platform, 1–5; default 1. */
  readonly samples?: number
  /** Only these platforms; default all. */
  readonly platforms?: ReadonlyArray<PlatformId>
  /** Only these keywords; default all active ones. */
  readonly keywords?: ReadonlyArray<KeywordId>
  /** Whether it uses one unit of the monthly quota, as `sov scan` does; default true. */
  readonly usesQuota?: boolean
  /** Called about three times a second. What it throws is logged as a warning, and the work goes on. */
  readonly onProgress?: (progress: ScanProgress) => void
}

/** A scan with the counts of its cells and answers, what these cost and, once completed, its score. */
export type ScanResult = Effect.Success<ReturnType<typeof readScan>>

/** A tenant to be created: `pro`, tracking nothing and without limits of its own, unless given. */
export interface NewOrganization extends Stoppable {
  /** Default the brand's. */
  readonly name?: string
  readonly plan?: PlanId
  readonly tracking?: TrackingFile
  readonly limits?: Partial<OrganizationLimits> & { readonly scanQuota?: number | null }
  /** The same key creates one organization, however often it is sent. */
  readonly idempotencyKey?: string
}

/** What changes of an organization; what is left out stays. A limit of null is that of the plan, or none. */
export interface OrganizationChanges extends Stoppable {
  readonly name?: string
  readonly plan?: PlanId
  readonly limits?: NewOrganization["limits"]
}

/** The organizations of a home, each named by its slug or id, as `sov org` manages them. */
export interface Organizations {
  readonly create: (organization: NewOrganization) => Promise<Organization>
  /** All, oldest first. */
  readonly list: (options?: Stoppable) => Promise<ReadonlyArray<Organization>>
  readonly get: (organization: string, options?: Stoppable) => Promise<Organization>
  readonly edit: (organization: string, changes: OrganizationChanges) => Promise<Organization>
  /** Its results can be read, and no scan starts. */
  readonly suspend: (organization: string, options?: Stoppable & { readonly reason?: string }) => Promise<Organization>
  readonly resume: (organization: string, options?: Stoppable) => Promise<Organization>
  /** Deletes it seven days from now, by a worker of this home; until then it can be cancelled. */
  readonly delete: (organization: string, options?: Stoppable) => Promise<DeletionRequest>
  /** Resolves to whether there was a request. */
  readonly cancelDeletion: (organization: string, options?: Stoppable) => Promise<boolean>
  /** All rows but the answers and the audit log, without secrets: lines of JSON, `{"keyword":{…}}`. */
  readonly exportRecords: (organization: string, options?: Stoppable) => AsyncIterable<string>
  /** What each used in a UTC month (`2026-11`, default the present one), or one of them. */
  readonly usage: (
    options?: Stoppable & { readonly month?: string; readonly organization?: string }
  ) => Promise<UsageReport>
}

/**
 * A home of sov. Every method rejects with a `SovError` for what is foreseen (with `Rejected` for options that it does
 * not have), with the reason of its `signal` once that is aborted (`work` resolves), and with an Error ("this sov is
 * closed") once `close` is called, work in progress included.
 */
export interface Sov extends AsyncDisposable {
  /**
   * Sets up an organization with what it tracks, unless one of that name is there, which is left as it is. `name` is
   * the brand's and `plan` is `pro` unless given. It is the one that all further calls are about.
   */
  readonly initialize: (
    tracking: TrackingFile,
    options?: Stoppable & { readonly name?: string; readonly plan?: PlanId }
  ) => Promise<Organization>
  /**
   * Starts a scan and works on it until it has ended. An aborted `signal` ends the work, not the scan: what was
   * archived stays, and `resume` goes on with the rest.
   */
  readonly scan: (options?: ScanOptions) => Promise<ScanResult>
  /** Works on a scan that is still running, the newest unless an id is given. */
  readonly resume: (
    options?: Pick<ScanOptions, "signal" | "onProgress"> & { readonly scanId?: string }
  ) => Promise<ScanResult>
  /** The current share of voice, with its movements and up to `scans` (1–100, default 12) scores before it. */
  readonly score: (options?: Stoppable & { readonly scans?: number }) => Promise<ScoreReport>
  /** Archived answers, the newest first, read page by page while they are iterated over. */
  readonly archive: (filters?: ArchiveFilters, options?: Stoppable) => AsyncIterable<ArchiveRow>
  /**
   * Is a worker: works on scans, schedules, webhooks and e-mails of all organizations until `signal` is aborted. Calls
   * in flight then have ten seconds. Resolves when it has stopped.
   */
  readonly work: (options: { readonly signal: AbortSignal }) => Promise<void>
  readonly organizations: Organizations
  /** Runs any use case of `@sov/core`, or other Effect, on this home. */
  readonly run: <A, E>(
    effect: Effect.Effect<A, E, Services | AnswerPlatforms>,
    options?: Stoppable
  ) => Promise<A>
  /** Closes the connection; work in progress is interrupted. */
  readonly close: () => Promise<void>
}
