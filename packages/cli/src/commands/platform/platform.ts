/** sov platform list, test: configuration, health and cost of the platforms; one question to a platform. */
import {
  breakerState,
  listPlatforms,
  PlatformId,
  platformIds,
  type PlatformReport,
  type Provider,
  readPlatformHealth,
  type StoragePorts
} from "@sov/core"
import { type Context, Duration, Effect } from "effect"
import { CliError } from "../../CliError.ts"
import { exitCodes } from "../../exitCodes.ts"
import { decodeInput } from "../../input/decodeInput.ts"
import { printable } from "../../output/Output.ts"
import { dollars } from "../../render/money.ts"
import {
  boundModel,
  type PlatformConfig,
  platformsLayer,
  probeDatabase,
  readConfig,
  runReadOnly,
  runWithoutDatabase
} from "../../runtime.ts"
import type { GlobalOptions } from "../../settings/GlobalOptions.ts"

type Binding = NonNullable<PlatformConfig["platforms"][PlatformId]>

/** The configuration of a platform. */
const bindingRow = (id: PlatformId, binding: Binding | undefined) => {
  const remote = binding !== undefined && "model" in binding ? binding : null
  const keyName = remote?.apiKeyEnv
  return {
    id,
    configured: binding !== undefined,
    adapter: binding?.adapter ?? null,
    model: remote?.model ?? null,
    web_search: remote !== null && "webSearch" in remote ? remote.webSearch : null,
    api_key_env: keyName ?? null,
    api_key_present: keyName === undefined ? null : (process.env[keyName] ?? "") !== "",
    simulated: binding?.adapter === "simulated",
    monthly_budget_usd: remote?.monthlyBudgetUsd ?? null
  }
}

const providerOf = (id: PlatformId, binding: Binding): Provider => ({
  adapter: binding.adapter,
  model: boundModel(id, binding),
  ..."baseUrl" in binding ? { baseUrl: binding.baseUrl } : {}
})

/** How it does, by the last hundred answers and the last hundred calls; null = nothing is known. */
const healthRow = ({ health, recent, spentUsd }: Omit<PlatformReport, "id">, now: Date) => {
  const state = health === null ? null : breakerState(health.breaker, now.getTime())
  const failed = health?.outcomes.filter((outcome) => outcome !== "answered").length ?? 0
  const failure = health?.lastFailure
  return {
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
    spent_usd: spentUsd
  }
}

type Row = ReturnType<typeof bindingRow> & ReturnType<typeof healthRow>

const nothingKnown = { recent: null, health: null, spentUsd: null }

/** All platforms, configured or not; without stores nothing is known of how they do. */
const rowsOf = Effect.fnUntraced(
  function*({ platforms }: PlatformConfig, stores: Context.Context<StoragePorts> | null, now: Date) {
    const rows = platformIds.map((id) => bindingRow(id, platforms[id]))
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

const breakerText = ({ breaker, retry_at }: Row): string =>
  breaker === null ? "-" : retry_at === null ? breaker : `open until ${retry_at}`

const spentText = ({ monthly_budget_usd, spent_usd }: Row): string =>
  spent_usd === null
    ? "-"
    : `${dollars(spent_usd)}${monthly_budget_usd === null ? "" : ` of ${dollars(monthly_budget_usd)}`}`

export const list = (options: GlobalOptions) =>
  runReadOnly(options, ({ out }) =>
    Effect.scoped(Effect.gen(function*() {
      const config = readConfig(options)
      const database = yield* probeDatabase(options)
      const rows = yield* rowsOf(config, database.state === "open" ? database.stores : null, new Date())
      out.list(rows, [
        { header: "PLATFORM", cell: (row) => row.id },
        { header: "ADAPTER", cell: (row) => row.adapter ?? "not configured" },
        { header: "MODEL", cell: (row) => row.model ?? "-" },
        { header: "WEB SEARCH", cell: (row) => row.web_search === null ? "-" : row.web_search ? "on" : "off" },
        {
          header: "KEY",
          cell: (row) =>
            row.api_key_env === null
              ? "-"
              : `${row.api_key_env} ${row.api_key_present === true ? "is set" : "is NOT set"}`
        },
        { header: "LAST ANSWER", cell: (row) => row.last_answer_at ?? "-" },
        {
          header: "ERRORS",
          cell: (row) => row.error_rate === null ? "-" : `${Math.round(100 * row.error_rate)} % of ${row.calls}`
        },
        {
          header: "P50/P95",
          cell: (row) => row.latency_p50_ms === null ? "-" : `${row.latency_p50_ms}/${row.latency_p95_ms} ms`
        },
        { header: "BREAKER", cell: breakerText },
        { header: "THIS MONTH", cell: spentText }
      ], { empty: "" })
      for (const { breaker, id, last_failure } of rows) {
        if (breaker === null || breaker === "closed" || last_failure === null) continue
        out.note(`${id} failed last at ${last_failure.at}: ${printable(last_failure.message.replace(`${id}: `, ""))}`)
      }
      if (database.state === "unreachable") out.note(`note: their health is not known: ${database.error.message}`)
    })))

/** Lines of an answer that are shown; `--json` has all. */
const shownLines = 12

const firstLines = (text: string): ReadonlyArray<string> => {
  const lines = printable(text).split("\n")
  const more = lines.length - shownLines
  return more <= 0 ? lines : [...lines.slice(0, shownLines), `… (${more} more lines, all with --json)`]
}

export const test = (options: GlobalOptions & { readonly prompt: string }, id: string) =>
  runWithoutDatabase(options, ({ out }) =>
    Effect.gen(function*() {
      const platformId = yield* decodeInput(PlatformId, id as PlatformId, "platform")
      const platform = (yield* listPlatforms()).find((one) => one.id === platformId)
      if (platform === undefined) {
        return yield* Effect.fail(
          new CliError(
            "platform-not-configured",
            exitCodes.usage,
            `${platformId} is not configured in ${options.config}`,
            `sov platform add --id ${platformId} configures it`
          )
        )
      }
      out.note(
        `Asking ${platformId} (${platform.adapter}, ${platform.model}), up to ${Duration.format(platform.timeout)} …`
      )
      const answer = yield* platform.ask(options.prompt)
      const { costUsd, inputTokens, outputTokens, searches } = answer.usage
      out.result({
        platform: platformId,
        adapter: platform.adapter,
        model: answer.model,
        latency_ms: Math.round(answer.latencyMs),
        finish: answer.finish,
        input_tokens: inputTokens,
        output_tokens: outputTokens,
        searches: searches ?? null,
        cost_usd: costUsd,
        citations: answer.citations.length,
        answer: answer.text,
        simulated: answer.simulated
      }, () => {
        const facts = [
          printable(answer.model),
          ...inputTokens === null ? [] : [`${inputTokens} + ${outputTokens ?? 0} tokens`],
          ...searches === undefined || searches === 0 ? [] : [`${searches} ${searches === 1 ? "search" : "searches"}`],
          ...costUsd === null ? [] : [dollars(costUsd)]
        ]
        return [
          `${platformId} answered in ${Math.round(answer.latencyMs)} ms (${facts.join(", ")})${
            answer.simulated ? " · SIMULATED" : ""
          }`,
          "",
          ...firstLines(answer.text),
          ...(answer.citations.length === 0 ? [] : ["", "Sources:"]),
          ...answer.citations.map(({ position, title, url }) =>
            printable(`  [${position}] ${title === null ? url : `${title} ${url}`}`.replaceAll(/\s+/g, " "))
          )
        ].join("\n")
      })
    }).pipe(Effect.provide(platformsLayer(options))))
