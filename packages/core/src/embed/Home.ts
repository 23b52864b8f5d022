/** Inputs and results of `openSov`. */
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

/**
 * A function that returns the current time, for tests and for a history of scans at other times. Waiting still takes
 * real time.
 */
export type SovClock = () => Date

/** A line of the log. */
export interface LogEntry {
  readonly level: "fatal" | "error" | "warn" | "info" | "debug" | "trace"
  readonly message: string
}

interface CommonOptions {
  /** Slug or id of the organization; left out: the only organization, or the one that `initialize` creates. */
  readonly organization?: string
  /**
   * The platforms that scans ask: custom ones, or the result of `readPlatforms`. Left out if the program only reads.
   */
  readonly platforms?: ReadonlyArray<CustomPlatform> | AnswerPlatforms["Service"]
  /**
   * Sends one e-mail; rejects with MailError to report why it was not sent. Left out: alerts are recorded but not sent.
   */
  readonly mailer?: (mail: Mail, options: { readonly signal: AbortSignal }) => Promise<void>
  readonly clock?: SovClock
  /**
   * Receives sov's log from level `info` on, such as pauses of platforms and e-mails that were given up. Left out:
   * nothing is logged.
   */
  readonly log?: (entry: LogEntry) => void
  /** Keys that encrypt stored webhook secrets, as in `SOV_ENCRYPTION_KEYS`. */
  readonly encryptionKeys?: string | Redacted.Redacted
  /** Aborts the opening of the home. */
  readonly signal?: AbortSignal
}

/** Where the data is stored: a directory with the embedded database, or a Postgres server. */
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
  /** How often each keyword is asked on each platform, 1–5; default 1. */
  readonly samples?: number
  /** The platforms to ask; default: all. */
  readonly platforms?: ReadonlyArray<PlatformId>
  /** The keywords to ask; default: all active ones. */
  readonly keywords?: ReadonlyArray<KeywordId>
  /** Whether the scan uses one unit of the monthly quota, as `sov scan` does; default true. */
  readonly usesQuota?: boolean
  /** Called about three times a second. An error that it throws is logged as a warning, and the work continues. */
  readonly onProgress?: (progress: ScanProgress) => void
}

/** A scan with the counts of its cells and answers, their cost and, once completed, its score. */
export type ScanResult = Effect.Success<ReturnType<typeof readScan>>

/** A new organization. Defaults: plan `pro`, no tracked names, no own limits. */
export interface NewOrganization extends Stoppable {
  /** Default: the brand's name. */
  readonly name?: string
  readonly plan?: PlanId
  readonly tracking?: TrackingFile
  readonly limits?: Partial<OrganizationLimits> & { readonly scanQuota?: number | null }
  /** Requests with the same key create only one organization, however often they are sent. */
  readonly idempotencyKey?: string
}

/**
 * Changes of an organization; members that are left out stay as they are. A limit of null means the plan's limit, or no
 * limit.
 */
export interface OrganizationChanges extends Stoppable {
  readonly name?: string
  readonly plan?: PlanId
  readonly limits?: NewOrganization["limits"]
}

/** Manages the organizations of a home, each identified by its slug or id, like `sov org`. */
export interface Organizations {
  readonly create: (organization: NewOrganization) => Promise<Organization>
  /** All organizations, oldest first. */
  readonly list: (options?: Stoppable) => Promise<ReadonlyArray<Organization>>
  readonly get: (organization: string, options?: Stoppable) => Promise<Organization>
  readonly edit: (organization: string, changes: OrganizationChanges) => Promise<Organization>
  /** A suspended organization starts no scan; its results can still be read. */
  readonly suspend: (organization: string, options?: Stoppable & { readonly reason?: string }) => Promise<Organization>
  readonly resume: (organization: string, options?: Stoppable) => Promise<Organization>
  /**
   * Requests that a worker of this home deletes the organization after seven days; until then the request can be
   * cancelled.
   */
  readonly delete: (organization: string, options?: Stoppable) => Promise<DeletionRequest>
  /** Resolves to whether there was a request to cancel. */
  readonly cancelDeletion: (organization: string, options?: Stoppable) => Promise<boolean>
  /** All rows except answers and the audit log, without secrets, as lines of JSON: `{"keyword":{…}}`. */
  readonly exportRecords: (organization: string, options?: Stoppable) => AsyncIterable<string>
  /** Usage of all organizations, or of one, in a UTC month (`2026-11`; default: the current month). */
  readonly usage: (
    options?: Stoppable & { readonly month?: string; readonly organization?: string }
  ) => Promise<UsageReport>
}

/**
 * A home of sov. Every method rejects with a `SovError` for foreseen errors (with `Rejected` for unknown options), with
 * the reason of its `signal` once that is aborted (except `work`, which resolves), and with an Error ("this sov is
 * closed") once `close` is called, even while it is in progress.
 */
export interface Sov extends AsyncDisposable {
  /**
   * Sets up an organization with its brand and keywords; an existing organization with that name is left unchanged.
   * `name` defaults to the brand's name and `plan` to `pro`. All further calls use this organization.
   */
  readonly initialize: (
    tracking: TrackingFile,
    options?: Stoppable & { readonly name?: string; readonly plan?: PlanId }
  ) => Promise<Organization>
  /**
   * Starts a scan and works on it until it has ended. Aborting `signal` ends the work but not the scan: archived
   * answers stay, and `resume` continues with the rest.
   */
  readonly scan: (options?: ScanOptions) => Promise<ScanResult>
  /** Continues a scan that is still running: the newest one, or the one with the given id. */
  readonly resume: (
    options?: Pick<ScanOptions, "signal" | "onProgress"> & { readonly scanId?: string }
  ) => Promise<ScanResult>
  /** The current share of voice, with its movements and up to `scans` (1–100, default 12) earlier scores. */
  readonly score: (options?: Stoppable & { readonly scans?: number }) => Promise<ScoreReport>
  /** Archived answers, newest first, read page by page during iteration. */
  readonly archive: (filters?: ArchiveFilters, options?: Stoppable) => AsyncIterable<ArchiveRow>
  /**
   * Runs a worker: works on scans, schedules, webhooks and e-mails of all organizations until `signal` is aborted.
   * Calls in flight then have ten seconds to finish. Resolves when it has stopped.
   */
  readonly work: (options: { readonly signal: AbortSignal }) => Promise<void>
  readonly organizations: Organizations
  /** Runs any use case of `@sov/core`, or another Effect, on this home. */
  readonly run: <A, E>(
    effect: Effect.Effect<A, E, Services | AnswerPlatforms>,
    options?: Stoppable
  ) => Promise<A>
  /** Closes the connection and interrupts work in progress. */
  readonly close: () => Promise<void>
}
