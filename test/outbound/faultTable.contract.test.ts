/**
 * The table of faults in docs/platforms.md: each provider is tested with each fault on loopback, and the retry policy
 * determines how often it is asked. `UPDATE_FAULT_TABLE=1` writes the table; `npx dprint fmt docs/platforms.md` aligns
 * it.
 */
import { maxAttempts, type PlatformError, type ProviderName, providerNames, providers, retryDelayMs } from "@sov/core"
import { Effect, Exit } from "effect"
import { readFileSync, writeFileSync } from "node:fs"
import { expect, it } from "vitest"
import * as dataForSeo from "../support/dataForSeo.ts"
import { makeFakePlatform, reply, type Script } from "../support/FakePlatform.ts"
import { type AdapterCase, adapterCases, mistralCase, platformFrom } from "./adapterCases.ts"
import * as anthropic from "./fixtures/anthropicMessages.ts"
import * as chat from "./fixtures/chatCompletions.ts"
import * as openAi from "./fixtures/openAiResponses.ts"

const page = new URL("../../docs/platforms.md", import.meta.url)

/** The parts of an adapter case that a fault needs. */
type Format = Pick<AdapterCase, "adapter" | "answer" | "around" | "error" | "fields" | "heldBack" | "refusal">

const scraper: Format = {
  adapter: "dataforseo",
  answer: () => dataForSeo.chatGpt,
  error: (status) => dataForSeo.fault(100 * status)
}
const formats = [...adapterCases, mistralCase, scraper]

interface Case extends Format {
  /** A provider by name, or the adapter for all other services with its format. */
  readonly name: ProviderName | "openai-compatible"
}
const cases: ReadonlyArray<Case> = [...providerNames, "openai-compatible" as const].map((name) => {
  const { adapter, ...entry } = name === "openai-compatible" ? { adapter: name } : providers[name].binding
  const format = formats.find((one) => one.adapter === adapter)!
  const { baseUrl: _, ...own } = entry as { readonly baseUrl?: string }
  const chosen = name === "dataforseo" ? { model: "chatgpt" } : {}
  return { ...format, name, fields: { ...own, model: "test-model", ...chosen, ...format.fields } }
})

/** The reply for each fault: as the provider documents it, otherwise by status; undefined if neither exists. */
const replyTo: Readonly<Record<string, (one: Case) => Script | undefined>> = {
  "no credit": ({ error, name }) =>
    ({
      openai: reply(429, openAi.unpaid("credit_balance_exhausted")),
      anthropic: reply(400, anthropic.error(400, "Your credit balance is too low to access the API.")),
      gemini: reply(429, { error: { code: 429, message: "Your prepayment credits are depleted." } }),
      xai: reply(429, chat.errors.xaiUnpaid),
      deepseek: reply(402, chat.errors.deepSeekUnpaid),
      openrouter: reply(402, chat.errors.openRouterUnpaid),
      dataforseo: reply(200, dataForSeo.taskFault(40200)),
      "openai-compatible": reply(402, chat.errors.deepSeekUnpaid)
    } as Partial<Record<Case["name"], Script>>)[name] ?? reply(402, error(402, "Payment required")),
  "spend limit": ({ name }) =>
    ({
      openai: reply(429, openAi.unpaid("project_spend_limit_exceeded")),
      azure: reply(429, openAi.unpaid("project_spend_limit_exceeded")),
      anthropic: reply(429, anthropic.limited("enforced_spend_limit_reached")),
      xai: reply(429, chat.errors.xaiUnpaid),
      dataforseo: reply(200, dataForSeo.fault(40203))
    } as Partial<Record<Case["name"], Script>>)[name],
  "account on hold": ({ error, name }) =>
    name === "anthropic"
      ? reply(400, anthropic.onHold)
      : name === "dataforseo"
      ? reply(200, dataForSeo.fault(40201))
      : reply(403, error(403, "Account suspended")),
  "policy": ({ heldBack, name, refusal }) =>
    ({
      openai: reply(200, openAi.blocked("misalignment_policy_violation")),
      xai: reply(403, chat.errors.xaiBlocked),
      deepseek: reply(400, chat.errors.deepSeekBlocked),
      openrouter: reply(403, chat.errors.openRouterBlocked),
      azure: reply(400, openAi.azureBlocked)
    } as Partial<Record<Case["name"], Script>>)[name] ??
      (heldBack !== undefined
        ? reply(200, heldBack)
        : refusal?.text === null
        ? reply(200, refusal.body)
        : undefined),
  "model gone": ({ error }) => reply(404, error(404, "The model has been deprecated")),
  "model rerouted": ({ answer }) => reply(200, answer("Acme.")),
  "end announced": ({ answer }) => reply(200, answer("Acme."), { sunset: "Thu, 31 Dec 2099 00:00:00 GMT" }),
  "reply cut": () => (response) => {
    response.writeHead(200, { "content-type": "application/json", "content-length": "5000" })
    response.write("{\"id\":\"1\",", () => response.destroy())
  },
  "key refused": ({ error }) => reply(401, error(401, "Wrong key")),
  "too many requests": ({ error, name }) =>
    name === "dataforseo" ? reply(200, dataForSeo.fault(40202)) : reply(429, error(429, "Slow down")),
  "timeout": () => () => {}
}

/** What sov does in addition to failing the question, in words. */
const consequences: Readonly<Record<string, string>> = {
  "no credit": "the scan's open questions fail at once; asked again after an hour, or when you say so",
  "spend limit": "as without credit",
  "account on hold": "after 5 questions in a row the scan's open questions fail",
  "policy": "this question fails; the others go on",
  "model gone": "the scan's open questions fail at once; recipients get one e-mail",
  "model rerouted": "the series breaks (docs/measuring.md); event `platform.changed`",
  "end announced": "`ends_on`; from 30 days before, doctor and digest say so",
  "reply cut": "tried again",
  "key refused": "after 5 questions in a row the scan's open questions fail",
  "too many requests": "tried again after `Retry-After`, or growing pauses",
  "timeout": "tried again"
}

/** How often a question is asked if it always fails like this. */
const timesAsked = ({ retryAfterMs, retryable }: PlatformError): number => {
  if (!retryable) return 1
  let [attempts, sinceFirstMs] = [1, 0]
  for (;;) {
    const delay = retryDelayMs({ attempts, sinceFirstMs, retryAfterMs, jitter: 0 })
    if (delay === null) return attempts
    attempts++
    sinceFirstMs += delay
  }
}

const outcomeOf = async (one: Case, script: Script | undefined): Promise<string> => {
  if (script === undefined) return "no such reply is known"
  const exit = await Effect.runPromise(Effect.scoped(Effect.gen(function*() {
    const fake = yield* makeFakePlatform(one.around?.(script) ?? script)
    const platform = platformFrom(one.adapter, fake.baseUrl, { ...one.fields, timeout: "300 millis" }, "some-key")
    return yield* Effect.exit(platform.ask("Best anvil?"))
  })))
  if (Exit.isSuccess(exit)) return `answered${exit.value.endsOn == null ? "" : ", with its end"}`
  const error = Effect.runSync(Effect.flip(exit))
  return `\`${error.reason}\`, ${timesAsked(error)} ×`
}

/** The outcome, if it is the same for all providers; otherwise each outcome with its providers. */
const describe = (outcomes: ReadonlyMap<string, ReadonlyArray<string>>): string =>
  [...outcomes].map(([outcome, names]) =>
    outcomes.size === 1
      ? `${outcome}: all`
      : `${outcome}: ${names.length > cases.length / 2 ? "the others" : names.join(", ")}`
  ).toSorted((a, b) => Number(a.endsWith("others")) - Number(b.endsWith("others"))).join("; ")

it("the table of faults on the page agrees with the adapters", async () => {
  expect(maxAttempts).toBe(5)
  const rows: Array<ReadonlyArray<string>> = [["fault", "a question that keeps meeting it, by provider", "then"], [
    "---",
    "---",
    "---"
  ]]
  for (const [fault, script] of Object.entries(replyTo)) {
    const found = await Promise.all(cases.map(async (one) => [await outcomeOf(one, script(one)), one.name] as const))
    const outcomes = Map.groupBy(found, ([outcome]) => outcome)
    const named = new Map([...outcomes].map(([outcome, all]) => [outcome, all.map(([, name]) => name)]))
    rows.push([fault, describe(named), consequences[fault]!])
  }
  const text = readFileSync(page, "utf8")
  const table = /(?<=<!-- faults -->\n\n).*?(?=\n\n<!-- \/faults -->)/s.exec(text)![0]
  if (process.env["UPDATE_FAULT_TABLE"] === "1") {
    const made = rows.map((row) => `| ${row.join(" | ")} |`).join("\n")
    writeFileSync(page, text.replace(`faults -->\n\n${table}`, () => `faults -->\n\n${made}`))
    return
  }
  const cellsOf = (line: string) => line.split("|").slice(1, -1).map((cell) => cell.trim().replace(/^-+$/, "---"))
  expect(table.split("\n").map(cellsOf)).toEqual(rows)
}, 30_000)
