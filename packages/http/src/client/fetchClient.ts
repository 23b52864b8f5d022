/**
 * A client of the sov REST API without dependencies: it needs only `fetch` (Node, Deno, Bun, workers, browsers). Names
 * and shapes are those of docs/openapi.json.
 */
import {
  type Action,
  type ActionList,
  type ActionMark,
  type AnswerSource,
  type ArchivePage,
  type ArchiveQuery,
  type ArchiveRow,
  type Experiment,
  type ExperimentDetail,
  type ExperimentList,
  maxArchivePage,
  type NewExperiment,
  type Platform,
  type Scan,
  type StartedScan,
  type StartScan,
  type Summary
} from "./shapes.ts"
import {
  type CallOptions,
  type ClientOptions,
  formatQuery,
  readMember,
  type StartOptions,
  Transport
} from "./transport.ts"
import type { Definitions, Evidence, SpotCheck } from "./trustShapes.ts"

export * from "./operatorClient.ts"
export {
  type CallOptions,
  type ClientOptions,
  type Fault,
  faultsIn,
  type Problem,
  type Retry,
  retryAfterSeconds,
  retryWait,
  SovProblem,
  SovUnreachable,
  type StartOptions
} from "./transport.ts"
export type {
  Action,
  ActionList,
  ActionMark,
  AnswerSource,
  ArchivePage,
  ArchiveQuery,
  ArchiveRow,
  Definitions,
  Evidence,
  Experiment,
  ExperimentDetail,
  ExperimentList,
  NewExperiment,
  Platform,
  Scan,
  SpotCheck,
  StartedScan,
  StartScan,
  Summary
}

/** How many of the configured platforms and tracked keywords a scan asked. */
export type Asked = NonNullable<Summary["asked"]>

/** Filters of the archive. Bounds are days (`2026-03-01`, UTC) or times with an offset. */
export type ArchiveFilters = Omit<ArchiveQuery, "cursor" | "include" | "limit">

/**
 * Operations of an organization. Each call retries temporary failures (no response, 408, 409, 429, 5xx) and rejects
 * with SovProblem, SovUnreachable, or the reason of its signal.
 */
export class SovClient {
  readonly #transport: Transport

  /** Throws TypeError for an invalid URL or key; the message never contains the key. */
  constructor(options: ClientOptions) {
    this.#transport = new Transport(options)
  }

  /** GET /api/v1/sov; of the standard view unless another is named. */
  sov(options: CallOptions & { readonly view?: string } = {}): Promise<Summary> {
    const path = `/sov${formatQuery({ view: options.view })}`
    return this.#transport.call(path, { read: readMember<Summary>("avg_sov") }, options)
  }

  /** GET /api/v1/sov/definitions: the same answers under each definition of voice. */
  definitions(options: CallOptions = {}): Promise<Definitions> {
    return this.#transport.call("/sov/definitions", { read: readMember<Definitions>("definitions") }, options)
  }

  /** GET /api/v1/actions: what to do next, at most ten. */
  actions(options: CallOptions = {}): Promise<ActionList> {
    return this.#transport.call("/actions", { read: readMember<ActionList>("actions") }, options)
  }

  /** GET /api/v1/sov/odds: what somebody sees who opens one answer, or three. */
  odds(options: CallOptions = {}): Promise<SpotCheck> {
    return this.#transport.call("/sov/odds", { read: readMember<SpotCheck>("odds") }, options)
  }

  /** GET /api/v1/evidence: how much the current share of voice can carry. */
  evidence(options: CallOptions = {}): Promise<Evidence> {
    return this.#transport.call("/evidence", { read: readMember<Evidence>("grade") }, options)
  }

  /** GET /api/v1/scans: the newest `limit` (1 to 50, default 10). */
  listScans(
    options: CallOptions & { readonly limit?: number } = {}
  ): Promise<{ readonly scans: ReadonlyArray<Scan> }> {
    const path = `/scans${formatQuery({ limit: options.limit })}`
    return this.#transport.call(path, { read: readMember<{ readonly scans: ReadonlyArray<Scan> }>("scans") }, options)
  }

  /** POST /api/v1/scans: uses one scan of the month. */
  startScan(scan: StartScan = {}, options: StartOptions = {}): Promise<StartedScan> {
    const headers = { "idempotency-key": options.idempotencyKey ?? crypto.randomUUID() }
    const read = readMember<StartedScan>("scan_id")
    return this.#transport.call("/scans", { method: "POST", body: scan, headers, read }, options)
  }

  /** GET /api/v1/experiments: every plan, newest first. */
  listExperiments(options: CallOptions = {}): Promise<ExperimentList> {
    return this.#transport.call("/experiments", { read: readMember<ExperimentList>("experiments") }, options)
  }

  /** GET /api/v1/experiments/{id} */
  experiment(id: string, options: CallOptions = {}): Promise<ExperimentDetail> {
    const path = `/experiments/${encodeURIComponent(id)}`
    return this.#transport.call(path, { read: readMember<ExperimentDetail>("seal") }, options)
  }

  /** POST /api/v1/experiments: the same plan, sent again before it has ended, is drawn once. */
  startExperiment(plan: NewExperiment, options: CallOptions = {}): Promise<ExperimentDetail> {
    const read = readMember<ExperimentDetail>("seal")
    return this.#transport.call("/experiments", { method: "POST", body: plan, read }, options)
  }

  /** POST /api/v1/experiments/{id}/end: it never gets a result. */
  endExperiment(id: string, reason: string, options: CallOptions = {}): Promise<Experiment> {
    const path = `/experiments/${encodeURIComponent(id)}/end`
    return this.#transport.call(
      path,
      { method: "POST", body: { reason }, read: readMember<Experiment>("seal") },
      options
    )
  }

  /** GET /api/v1/archive: one page. */
  archive(page: ArchiveQuery = {}, options: CallOptions = {}): Promise<ArchivePage> {
    const { cursor, from, include, keyword_id, limit, platform, tag, to, view } = page
    const sent: { readonly [Name in keyof Required<ArchiveQuery>]: unknown } = {
      keyword_id,
      platform,
      tag,
      view,
      from,
      to,
      limit,
      cursor,
      include
    }
    const path = `/archive${formatQuery(sent)}`
    return this.#transport.call(path, { read: readMember<ArchivePage>("meta") }, options)
  }

  /** Pages of the archive, starting at `page`. Answers that are archived meanwhile do not shift later pages. */
  async *archivePages(page: ArchiveQuery = {}, options: CallOptions = {}): AsyncGenerator<ArchivePage, void> {
    const seen = new Set<string>()
    let next: ArchiveQuery = page
    while (true) {
      const answered = await this.archive(next, options)
      yield answered
      const cursor = answered.meta.next_cursor
      if (cursor === null) return
      if (seen.has(cursor)) throw new Error("The server gave the same cursor twice")
      seen.add(cursor)
      next = { ...page, cursor }
    }
  }

  /** All rows that match, newest first, read 100 at a time unless `limit` says otherwise. */
  async *archiveRows(filters: ArchiveQuery = {}, options: CallOptions = {}): AsyncGenerator<ArchiveRow, void> {
    for await (const { data } of this.archivePages({ limit: maxArchivePage, ...filters }, options)) yield* data
  }
}
