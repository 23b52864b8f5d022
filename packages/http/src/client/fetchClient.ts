/**
 * A client of the sov REST API without dependencies: it needs only `fetch` (Node, Deno, Bun, workers, browsers). Its
 * names and types match docs/openapi.json.
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

/** Filters of the archive. `from` and `to` are days (`2026-03-01`, UTC) or times with an offset. */
export type ArchiveFilters = Omit<ArchiveQuery, "cursor" | "include" | "limit">

/**
 * The operations of one organization. Each call retries temporary failures (no response, 408, 409, 429, 5xx) and
 * rejects with SovProblem, SovUnreachable, or the reason of its signal.
 */
export class SovClient {
  readonly #transport: Transport

  /** Throws TypeError for an invalid URL or key; the message never contains the key. */
  constructor(options: ClientOptions) {
    this.#transport = new Transport(options)
  }

  /** GET /api/v1/sov: the share in the standard view, or in the named `view`. */
  sov(options: CallOptions & { readonly view?: string } = {}): Promise<Summary> {
    const path = `/sov${formatQuery({ view: options.view })}`
    return this.#transport.call(path, { read: readMember<Summary>("avg_sov") }, options)
  }

  /** GET /api/v1/sov/definitions: the same answers, counted by each definition of voice. */
  definitions(options: CallOptions = {}): Promise<Definitions> {
    return this.#transport.call("/sov/definitions", { read: readMember<Definitions>("definitions") }, options)
  }

  /** GET /api/v1/actions: at most ten actions to take next. */
  actions(options: CallOptions = {}): Promise<ActionList> {
    return this.#transport.call("/actions", { read: readMember<ActionList>("actions") }, options)
  }

  /** GET /api/v1/sov/odds: how likely somebody who opens one answer, or three, sees the brand. */
  odds(options: CallOptions = {}): Promise<SpotCheck> {
    return this.#transport.call("/sov/odds", { read: readMember<SpotCheck>("odds") }, options)
  }

  /** GET /api/v1/evidence: how far the current share of voice can be relied on. */
  evidence(options: CallOptions = {}): Promise<Evidence> {
    return this.#transport.call("/evidence", { read: readMember<Evidence>("grade") }, options)
  }

  /** GET /api/v1/scans: the newest scans; `limit` is 1 to 50, default 10. */
  listScans(
    options: CallOptions & { readonly limit?: number } = {}
  ): Promise<{ readonly scans: ReadonlyArray<Scan> }> {
    const path = `/scans${formatQuery({ limit: options.limit })}`
    return this.#transport.call(path, { read: readMember<{ readonly scans: ReadonlyArray<Scan> }>("scans") }, options)
  }

  /** POST /api/v1/scans: starts a scan, which counts toward the monthly quota. */
  startScan(scan: StartScan = {}, options: StartOptions = {}): Promise<StartedScan> {
    const headers = { "idempotency-key": options.idempotencyKey ?? crypto.randomUUID() }
    const read = readMember<StartedScan>("scan_id")
    return this.#transport.call("/scans", { method: "POST", body: scan, headers, read }, options)
  }

  /** GET /api/v1/experiments: all experiments, newest first. */
  listExperiments(options: CallOptions = {}): Promise<ExperimentList> {
    return this.#transport.call("/experiments", { read: readMember<ExperimentList>("experiments") }, options)
  }

  /** GET /api/v1/experiments/{id} */
  experiment(id: string, options: CallOptions = {}): Promise<ExperimentDetail> {
    const path = `/experiments/${encodeURIComponent(id)}`
    return this.#transport.call(path, { read: readMember<ExperimentDetail>("seal") }, options)
  }

  /**
   * POST /api/v1/experiments: registers a plan. Sending the same plan again before its end creates no second
   * experiment.
   */
  startExperiment(plan: NewExperiment, options: CallOptions = {}): Promise<ExperimentDetail> {
    const read = readMember<ExperimentDetail>("seal")
    return this.#transport.call("/experiments", { method: "POST", body: plan, read }, options)
  }

  /** POST /api/v1/experiments/{id}/end: ends an experiment early, without a result. */
  endExperiment(id: string, reason: string, options: CallOptions = {}): Promise<Experiment> {
    const path = `/experiments/${encodeURIComponent(id)}/end`
    return this.#transport.call(
      path,
      { method: "POST", body: { reason }, read: readMember<Experiment>("seal") },
      options
    )
  }

  /** GET /api/v1/archive: one page of answers. */
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

  /** Pages of the archive, starting at `page`. Answers archived during the iteration do not shift later pages. */
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

  /** All matching rows, newest first, read 100 at a time unless `limit` says otherwise. */
  async *archiveRows(filters: ArchiveQuery = {}, options: CallOptions = {}): AsyncGenerator<ArchiveRow, void> {
    for await (const { data } of this.archivePages({ limit: maxArchivePage, ...filters }, options)) yield* data
  }
}
