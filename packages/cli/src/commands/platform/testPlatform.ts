/** sov platform test: asks a real question and checks that the answer has the shape that the adapter promises. */
import type { Citation } from "@sov/core/archive"
import { pluralized } from "@sov/core/common"
import {
  type AnswerPlatform,
  endsSoon,
  formatDollars,
  listPlatforms,
  namePlatform,
  type PlatformError,
  PlatformId,
  probePlatform,
  recordCredit
} from "@sov/core/platforms"
import { Duration, Effect, Result } from "effect"
import { CliError, usageError } from "../../CliError.ts"
import { describeError } from "../../describeError.ts"
import { type ExitCode, exitCodes } from "../../exitCodes.ts"
import { decodeInput } from "../../input/decodeInput.ts"
import { type Output, printable } from "../../output/Output.ts"
import { type PlatformConfig, platformsLayer, probeDatabase, readConfig, runWithoutDatabase } from "../../runtime.ts"
import type { GlobalOptions } from "../../settings/GlobalOptions.ts"

interface TestOptions extends GlobalOptions {
  readonly prompt: string
  readonly all?: boolean
}

/** Maximum number of lines of an answer that are shown; `--json` contains the entire answer. */
const maxAnswerLines = 12

/** Maximum number of sources that are shown; `--json` contains their total number. */
const maxShownSources = 10

const sourceLines = (citations: ReadonlyArray<Citation>): ReadonlyArray<string> => {
  const more = citations.length - maxShownSources
  return [
    ...citations.slice(0, maxShownSources).map(({ position, title, url }) =>
      printable(`  [${position}] ${title === null ? url : `${title} ${url}`}`.replaceAll(/\s+/g, " "))
    ),
    ...more <= 0 ? [] : [`  and ${more} more`]
  ]
}

const firstLines = (text: string): ReadonlyArray<string> => {
  const lines = printable(text).split("\n")
  const more = lines.length - maxAnswerLines
  return more <= 0 ? lines : [...lines.slice(0, maxAnswerLines), `… (${more} more lines, all with --json)`]
}

const probeOne = (platform: AnswerPlatform, prompt: string) =>
  Effect.map(probePlatform(platform, prompt), ({ answer, missing, sources }) => ({
    answer,
    json: {
      platform: platform.id,
      label: platform.label ?? null,
      adapter: platform.adapter,
      model: answer.model,
      latency_ms: Math.round(answer.latencyMs),
      finish: answer.finish,
      input_tokens: answer.usage.inputTokens,
      output_tokens: answer.usage.outputTokens,
      search: answer.search ?? null,
      searches: answer.usage.searches ?? null,
      cost_usd: answer.usage.costUsd,
      citations: answer.citations.length,
      sources,
      missing,
      announced_end: answer.announcedEnd ?? null,
      ends_on: answer.endsOn ?? null,
      request_limit: answer.requestLimit ?? null,
      answer: answer.text,
      simulated: answer.simulated
    }
  }))
type Probe = Effect.Success<ReturnType<typeof probeOne>>

/** Converts a failed call to an error that names the platform as people know it. */
export const callFault = (platform: AnswerPlatform, failure: PlatformError): CliError => {
  const { code, exitCode, hint, message } = describeError(failure)
  return new CliError(code, exitCode, `${namePlatform(platform)}: ${message.replace(`${platform.id}: `, "")}`, hint)
}

/** The problem with an answer that arrived; null if it has no problem. */
export const findProbeFault = (
  platform: AnswerPlatform,
  { announced_end, ends_on, missing }: Pick<Probe["json"], "announced_end" | "ends_on" | "missing">,
  now: Date
): CliError | null => {
  const name = namePlatform(platform)
  if (announced_end !== null || (ends_on !== null && endsSoon(ends_on, now))) {
    return new CliError(
      "platform-ending",
      exitCodes.auth,
      `${name}: the provider announces that this API or model ends: ${announced_end ?? ends_on}`,
      `set platforms.${platform.id}.model, or baseUrl, to its successor before that; docs/platforms.md has present names`
    )
  }
  if (missing.length === 0) return null
  return new CliError(
    "platform-changed",
    exitCodes.checkFailed,
    `${name}: the answer lacks ${missing.join(", ")}`,
    "the provider may have changed its format: try again, then look for a newer sov; answers are archived all the same"
  )
}

const describeAnswer = ({ json }: Probe): string => {
  const { cost_usd, ends_on, input_tokens, model, output_tokens, request_limit, searches, sources } = json
  return [
    printable(model),
    ...input_tokens === null ? [] : [`${input_tokens} + ${output_tokens ?? 0} tokens`],
    ...searches === null || searches === 0 ? [] : [`${searches} ${searches === 1 ? "search" : "searches"}`],
    ...sources === 0 ? [] : [pluralized(sources, "source")],
    ...cost_usd === null ? [] : [formatDollars(cost_usd)],
    ...ends_on === null ? [] : [`ends on ${ends_on}`],
    ...request_limit === null ? [] : [`${request_limit.remaining} of ${request_limit.limit} requests left`]
  ].join(", ")
}

const describeProbe = (platform: AnswerPlatform, found: Probe): string =>
  `${namePlatform(platform)} answered in ${found.json.latency_ms} ms (${describeAnswer(found)})${
    found.json.simulated ? " · SIMULATED" : ""
  }`

/** Ends pauses for lack of credit, if there is a database that records them. */
const recordAnswered = (options: GlobalOptions, platforms: ReadonlyArray<AnswerPlatform>) =>
  Effect.scoped(Effect.gen(function*() {
    const database = yield* probeDatabase(options)
    if (database.state !== "open" || database.stores === null) return
    yield* Effect.forEach(platforms, recordCredit, { discard: true }).pipe(Effect.provide(database.stores))
  })).pipe(Effect.catch((error) => Effect.logDebug("the answer could not be recorded", error)))

const testOne = Effect.fnUntraced(function*(out: Output, platform: AnswerPlatform, options: TestOptions) {
  out.note(
    `Asking ${namePlatform(platform)} (${platform.adapter}, ${platform.model}), up to ${
      Duration.format(platform.timeout)
    } …`
  )
  const found = yield* Effect.mapError(probeOne(platform, options.prompt), (failure) => callFault(platform, failure))
  yield* recordAnswered(options, [platform])
  const { citations, text } = found.answer
  out.result(found.json, () =>
    [
      describeProbe(platform, found),
      "",
      ...firstLines(text),
      ...(citations.length === 0 ? [] : ["", "Sources:"]),
      ...sourceLines(citations)
    ].join("\n"))
  const fault = findProbeFault(platform, found.json, new Date())
  if (fault !== null) return yield* Effect.fail(fault)
})

const errorJson = ({ code, exitCode, hint, message }: CliError) => ({
  code,
  message,
  hint: hint ?? null,
  exit_code: exitCode
})

const unansweredJson = ({ adapter, id, label, model }: AnswerPlatform) => ({
  platform: id,
  label: label ?? null,
  adapter,
  model
})

/**
 * The exit code for several failures: that of an ended platform, because the operator must act on it, or else that of
 * the first failure.
 */
const findWorstExitCode = (faults: ReadonlyArray<CliError>): ExitCode =>
  faults.find(({ exitCode }) => exitCode === exitCodes.auth)?.exitCode ?? faults[0]?.exitCode ?? exitCodes.ok

const testAll = Effect.fnUntraced(function*(out: Output, options: TestOptions) {
  const platforms = yield* listPlatforms()
  out.note(`Asking ${pluralized(platforms.length, "platform")} one question each …`)
  const rows = yield* Effect.forEach(
    platforms,
    (platform) =>
      Effect.map(Effect.result(probeOne(platform, options.prompt)), (result) => {
        const fault = Result.isFailure(result)
          ? callFault(platform, result.failure)
          : findProbeFault(platform, result.success.json, new Date())
        const json = Result.isSuccess(result) ? result.success.json : unansweredJson(platform)
        const outcome = Result.isSuccess(result) ? describeProbe(platform, result.success) : namePlatform(platform)
        return {
          fault,
          platform,
          outcome,
          json: { ...json, ok: fault === null, error: fault === null ? null : errorJson(fault) }
        }
      }),
    { concurrency: "unbounded" }
  )
  yield* recordAnswered(options, rows.flatMap(({ json, platform }) => "answer" in json ? [platform] : []))
  if (out.machine) out.list(rows.map(({ json }) => json), [], { empty: "" })
  for (const { fault, outcome } of out.machine ? [] : rows) {
    out.line(fault === null ? `ok      ${outcome}` : `FAILED  ${printable(fault.message)}`)
    if (fault?.hint !== undefined) out.line(`        ${printable(fault.hint)}`)
  }
  return findWorstExitCode(rows.flatMap(({ fault }) => fault === null ? [] : [fault]))
})

/** The configuration without the warnings about platforms that are not tested. */
const withWarningsOf = (config: PlatformConfig, id: string | undefined): PlatformConfig => ({
  ...config,
  warnings: (config.warnings ?? []).filter(({ platform }) => id === undefined || platform === id)
})

export const test = (options: TestOptions, id: string | undefined) =>
  runWithoutDatabase(options, function*({ out }) {
    return yield* Effect.gen(function*() {
      if ((id === undefined) !== (options.all === true)) {
        return yield* Effect.fail(usageError("which platform?", "name one, such as assistant_a, or give --all"))
      }
      if (id === undefined) return yield* testAll(out, options)
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
      yield* testOne(out, platform, options)
    }).pipe(Effect.provide(platformsLayer(options, withWarningsOf(readConfig(options), id))))
  })
