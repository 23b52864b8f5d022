/**
 * The table of faults in docs/platforms.md: each adapter meets each fault on loopback, and the retry policy says how
 * often it is asked. `UPDATE_FAULT_TABLE=1` writes the table; `npx dprint fmt docs/platforms.md` aligns it.
 */
import { maxAttempts, type PlatformError, retryDelayMs } from "@sov/core"
import { Effect, Exit } from "effect"
import { readFileSync, writeFileSync } from "node:fs"
import { expect, it } from "vitest"
import { makeFakePlatform, reply, type Script } from "../support/FakePlatform.ts"
import { type AdapterCase, adapterCases, mistralCase, platformFrom } from "./adapterCases.ts"
import * as anthropic from "./fixtures/anthropicMessages.ts"
import * as chat from "./fixtures/chatCompletions.ts"
import * as openAi from "./fixtures/openAiResponses.ts"

const page = new URL("../../docs/platforms.md", import.meta.url)
const cases = [...adapterCases, mistralCase]

/** The reply to each fault: as the provider documents it, else by status; undefined where there is neither. */
const replyTo: Readonly<Record<string, (one: AdapterCase) => Script | undefined>> = {
  "no credit": ({ adapter, error }) =>
    ({
      "openai-responses": reply(429, openAi.unpaid("credit_balance_exhausted")),
      "anthropic-messages": reply(400, anthropic.error(400, "Your credit balance is too low to access the API.")),
      "openai-compatible": reply(402, chat.errors.deepSeekUnpaid)
    })[adapter] ?? reply(402, error(402, "Payment required")),
  "spend limit": ({ adapter }) =>
    ({
      "openai-responses": reply(429, openAi.unpaid("project_spend_limit_exceeded")),
      "anthropic-messages": reply(429, anthropic.limited("enforced_spend_limit_reached"))
    })[adapter],
  "account on hold": ({ adapter, error }) =>
    ({ "anthropic-messages": reply(400, anthropic.onHold) })[adapter] ?? reply(403, error(403, "Account suspended")),
  "policy": ({ adapter, heldBack, refusal }) =>
    adapter === "openai-responses"
      ? reply(200, openAi.blocked("misalignment_policy_violation"))
      : heldBack !== undefined
      ? reply(200, heldBack)
      : refusal?.text === null
      ? reply(200, refusal.body)
      : undefined,
  "model gone": ({ error }) => reply(404, error(404, "The model has been deprecated")),
  "model rerouted": ({ answer }) => reply(200, answer("Acme.")),
  "end announced": ({ answer }) => reply(200, answer("Acme."), { sunset: "Thu, 31 Dec 2099 00:00:00 GMT" }),
  "reply cut": () => (response) => {
    response.writeHead(200, { "content-type": "application/json", "content-length": "5000" })
    response.write("{\"id\":\"1\",", () => response.destroy())
  },
  "key refused": ({ error }) => reply(401, error(401, "Wrong key")),
  "too many requests": ({ error }) => reply(429, error(429, "Slow down")),
  "timeout": () => () => {}
}

/** What sov does beyond one question, in words. */
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

/** How often one question is asked that always fails like this. */
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

const cellOf = async (one: AdapterCase, script: Script | undefined): Promise<string> => {
  if (script === undefined) return "–"
  const exit = await Effect.runPromise(Effect.scoped(Effect.gen(function*() {
    const fake = yield* makeFakePlatform(one.around?.(script) ?? script)
    const platform = platformFrom(one.adapter, fake.baseUrl, { ...one.fields, timeout: "300 millis" }, "some-key")
    return yield* Effect.exit(platform.ask("Best anvil?"))
  })))
  if (Exit.isSuccess(exit)) return `answered${exit.value.endsOn == null ? "" : ", with its end"}`
  const error = Effect.runSync(Effect.flip(exit))
  return `\`${error.reason}\`, ${timesAsked(error)} ×`
}

it("the page's table of faults is what the adapters do", async () => {
  expect(maxAttempts).toBe(5)
  const rows: Array<ReadonlyArray<string>> = [
    ["fault", ...cases.map(({ adapter }) => `\`${adapter}\``), "then"],
    ["---", ...cases.map(() => "---"), "---"]
  ]
  for (const [fault, script] of Object.entries(replyTo)) {
    const cells = await Promise.all(cases.map((one) => cellOf(one, script(one))))
    rows.push([fault, ...cells, consequences[fault]!])
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
