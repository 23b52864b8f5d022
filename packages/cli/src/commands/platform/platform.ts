/** sov platform list: the configuration, health and cost of platforms. */
import type { StoragePorts } from "@sov/core/common"
import { findOrganization } from "@sov/core/organizations"
import {
  breakerState,
  formatDollars,
  namePlatform,
  type OwnPlatformReport,
  type PlatformId,
  platformIds,
  type PlatformReport,
  readOwnPlatforms,
  readPlatformHealth,
  surfaceOf
} from "@sov/core/platforms"
import { isAnswered } from "@sov/core/scanning"
import { type Context, Effect } from "effect"
import { printable } from "../../output/Output.ts"
import { formatDuration } from "../../render/progress.ts"
import { type Binding, type PlatformConfig, probeDatabase, providerOf, readConfig, runReadOnly } from "../../runtime.ts"
import type { GlobalOptions } from "../../settings/GlobalOptions.ts"

/** The configuration of a platform. */
const bindingRow = (id: PlatformId, binding: Binding | undefined) => {
  const remote = binding !== undefined && "model" in binding ? binding : null
  const keyName = remote?.apiKeyEnv
  return {
    id,
    label: binding?.label ?? null,
    configured: binding !== undefined,
    adapter: binding?.adapter ?? null,
    surface: binding === undefined ? null : surfaceOf(binding.adapter),
    model: remote?.model ?? null,
    web_search: remote !== null && "webSearch" in remote ? remote.webSearch : null,
    api_key_env: keyName ?? null,
    api_key_present: keyName === undefined ? null : (process.env[keyName] ?? "") !== "",
    simulated: binding?.adapter === "simulated",
    monthly_budget_usd: remote?.monthlyBudgetUsd ?? null
  }
}

/** The health of a platform, from its last hundred answers and calls; null if it is unknown. */
const healthRow = ({ health, recent, spentUsd }: Omit<PlatformReport, "id">, now: Date) => {
  const state = health === null ? null : breakerState(health.breaker, now.getTime())
  const failed = health?.outcomes.filter((outcome) => !isAnswered(outcome)).length ?? 0
  const failure = health?.lastFailure
  return {
    answered_by: recent?.answeredBy ?? [],
    last_answer_at: recent?.lastAt.toISOString() ?? null,
    latency_p50_ms: recent?.latencyP50 ?? null,
    latency_p95_ms: recent?.latencyP95 ?? null,
    calls: health?.outcomes.length ?? 0,
    error_rate: health === null || health.outcomes.length === 0 ? null : failed / health.outcomes.length,
    last_failure: failure == null
      ? null
      : { at: new Date(failure.at).toISOString(), reason: failure.reason, message: failure.message },
    breaker: state,
    retry_at: state === "open" ? new Date(health!.breaker.retryAt!).toISOString() : null,
    spent_usd: spentUsd,
    ends_on: health?.endsOn ?? null
  }
}

/**
 * The state of a platform for one organization, from its own calls only, because the health of the platform itself
 * concerns the entire installation.
 */
const ownRow = ({ calls, recent, spentUsd }: Omit<OwnPlatformReport, "id">): ReturnType<typeof healthRow> => {
  const failure = calls?.lastFailure ?? null
  return {
    ...healthRow({ health: null, recent, spentUsd }, new Date(0)),
    calls: calls?.calls ?? 0,
    error_rate: calls === null || calls.calls === 0 ? null : calls.failed / calls.calls,
    last_failure: failure === null ? null : { ...failure, at: failure.at.toISOString() }
  }
}

type Row = ReturnType<typeof bindingRow> & ReturnType<typeof healthRow>

const nothingKnown = { recent: null, health: null, spentUsd: null }

/** All platforms, configured or not. Without stores, their health is unknown. */
const readRows = Effect.fnUntraced(
  function*(
    { platforms }: PlatformConfig,
    stores: Context.Context<StoragePorts> | null,
    now: Date,
    org: string | undefined
  ) {
    const rows = platformIds.map((id) => bindingRow(id, platforms[id]))
    if (org !== undefined && stores !== null) {
      const own = yield* Effect.flatMap(findOrganization(org), ({ id }) => readOwnPlatforms(id, rows)).pipe(
        Effect.provide(stores)
      )
      return rows.map((row, n): Row => ({ ...row, ...ownRow(own[n]!) }))
    }
    const reports = stores === null ? [] : yield* readPlatformHealth(rows.map(({ id, simulated }) => {
      const binding = platforms[id]
      return {
        id,
        simulated,
        provider: binding === undefined ? null : providerOf(id, binding),
        ...binding !== undefined && "prices" in binding ? { prices: binding.prices } : {}
      }
    })).pipe(Effect.provide(stores))
    return rows.map((row): Row => ({
      ...row,
      ...healthRow(reports.find(({ id }) => id === row.id) ?? nothingKnown, now)
    }))
  }
)

/** Whether the cost is known: from prices, or because the platform reports the cost of its answers. */
const isPriced = (binding: Binding | undefined): boolean =>
  binding !== undefined && (
    ("prices" in binding && binding.prices !== undefined) ||
    binding.adapter === "perplexity" || binding.adapter === "dataforseo" ||
    ("costReported" in binding && binding.costReported === true)
  )

const spentText = ({ monthly_budget_usd, spent_usd }: Row, priced: boolean): string =>
  spent_usd === null || (spent_usd === 0 && !priced)
    ? "–"
    : `${formatDollars(spent_usd)}${monthly_budget_usd === null ? "" : `/${formatDollars(monthly_budget_usd)}`}`

const errorsText = ({ breaker, error_rate }: Row): string =>
  error_rate === null
    ? "–"
    : `${Math.round(100 * error_rate)} %${breaker === null || breaker === "closed" ? "" : ` (${breaker})`}`

const agoText = (iso: string | null, now: Date): string =>
  iso === null ? "–" : `${formatDuration(now.getTime() - Date.parse(iso)).replace(/^(\d+ (?:min|h)) .*/, "$1")} ago`

const nameOf = ({ id, label }: Row): string => namePlatform({ id, ...label === null ? {} : { label } })

/** Describes why a platform cannot be asked now; null if no reason is known. */
export const describeTrouble = (
  row: Pick<
    Row,
    "id" | "api_key_env" | "api_key_present" | "breaker" | "last_answer_at" | "last_failure" | "retry_at"
  >
): string | null => {
  if (row.api_key_present === false) return `${row.api_key_env} is NOT set`
  const { breaker, last_answer_at, last_failure, retry_at } = row
  if (last_failure === null || (last_answer_at !== null && last_answer_at > last_failure.at)) return null
  const failureMessage = printable(last_failure.message.replace(`${row.id}: `, ""))
  if (last_failure.reason === "no_credit") return `no credit since ${last_failure.at}: ${failureMessage}`
  if (last_failure.reason === "ended") return `since ${last_failure.at}: ${failureMessage}`
  if (breaker === null || breaker === "closed") return null
  return `failed last at ${last_failure.at}${
    retry_at === null ? "" : `, not asked until ${retry_at}`
  }: ${failureMessage}`
}

export const list = (options: GlobalOptions) =>
  runReadOnly(options, function*({ out }) {
    const now = new Date()
    const config = readConfig(options)
    const database = yield* probeDatabase(options)
    const rows = yield* readRows(config, database.state === "open" ? database.stores : null, now, options.org)
    out.list(out.machine ? rows : rows.filter(({ configured }) => configured), [
      { header: "PLATFORM", cell: nameOf },
      { header: "MODEL", cell: (row) => `${row.model ?? row.adapter}` },
      { header: "ANSWERED", cell: (row) => agoText(row.last_answer_at, now) },
      { header: "ERRORS", cell: errorsText },
      {
        header: "P95",
        cell: (row) => row.latency_p95_ms === null ? "–" : `${(row.latency_p95_ms / 1000).toFixed(1)} s`
      },
      { header: "MONTH", cell: (row) => spentText(row, isPriced(config.platforms[row.id])) }
    ], { empty: `no platform is configured in ${options.config}: sov platform add configures one` })
    for (const { message } of config.warnings ?? []) out.note(`warning: ${message}`)
    for (const row of rows) {
      const trouble = describeTrouble(row)
      if (trouble !== null) out.note(`${nameOf(row)}: ${trouble}`)
      if (row.ends_on !== null) out.note(`${nameOf(row)}: its model ends on ${row.ends_on}`)
    }
    if (database.state === "unreachable") out.note(`note: their health is not known: ${database.error.message}`)
  })
