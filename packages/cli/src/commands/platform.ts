/** sov platform: which answer platforms are configured, and whether one answers. */
import { AnswerPlatforms, PlatformId, platformIds } from "@sov/core"
import { Duration, Effect } from "effect"
import { CliError } from "../CliError.ts"
import { decodeInput } from "../decodeInput.ts"
import { exitCodes } from "../exitCodes.ts"
import type { GlobalOptions } from "../GlobalOptions.ts"
import { printable } from "../Output.ts"
import { platformsLayer, readConfig, runWithoutDatabase } from "../runtime.ts"

export const list = (options: GlobalOptions) =>
  runWithoutDatabase(options, ({ out }) =>
    Effect.sync(() => {
      const { platforms } = readConfig(options)
      const rows = platformIds.map((id) => {
        const binding = platforms[id]
        const remote = binding === undefined || binding.adapter === "simulated" ? null : binding
        const keyName = remote?.apiKeyEnv
        return {
          id,
          configured: binding !== undefined,
          adapter: binding?.adapter ?? null,
          model: remote?.model ?? null,
          web_search: remote !== null && "webSearch" in remote ? remote.webSearch : null,
          api_key_env: keyName ?? null,
          api_key_present: keyName === undefined ? null : (process.env[keyName] ?? "") !== "",
          simulated: binding?.adapter === "simulated"
        }
      })
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
        }
      ], { empty: "" })
    }))

export const test = (options: GlobalOptions & { readonly prompt: string }, id: string) =>
  runWithoutDatabase(options, ({ out }) =>
    Effect.gen(function*() {
      const platformId = yield* decodeInput(PlatformId, id as PlatformId, "platform")
      const platform = (yield* AnswerPlatforms).all.get(platformId)
      if (platform === undefined) {
        return yield* Effect.fail(
          new CliError(
            "platform-not-configured",
            exitCodes.usage,
            `${platformId} is not configured in ${options.config}`,
            "sov platform list shows what is"
          )
        )
      }
      out.note(
        `Asking ${platformId} (${platform.adapter}, ${platform.model}), up to ${Duration.format(platform.timeout)} …`
      )
      const answer = yield* platform.ask(options.prompt)
      const { inputTokens, outputTokens } = answer.usage
      out.result({
        platform: platformId,
        adapter: platform.adapter,
        model: answer.model,
        latency_ms: Math.round(answer.latencyMs),
        finish: answer.finish,
        input_tokens: inputTokens,
        output_tokens: outputTokens,
        cost_usd: answer.usage.costUsd,
        citations: answer.citations.length,
        answer: answer.text,
        simulated: answer.simulated
      }, () =>
        [
          `${platformId} answered in ${Math.round(answer.latencyMs)} ms (${printable(answer.model)}${
            inputTokens === null ? "" : `, ${inputTokens} + ${outputTokens ?? 0} tokens`
          })${answer.simulated ? " · SIMULATED" : ""}`,
          "",
          printable(answer.text),
          ...(answer.citations.length === 0 ? [] : ["", "Sources:"]),
          ...answer.citations.map(({ position, title, url }) =>
            printable(`  [${position}] ${title === null ? url : `${title} ${url}`}`.replaceAll(/\s+/g, " "))
          )
        ].join("\n"))
    }).pipe(Effect.provide(platformsLayer(options))))
