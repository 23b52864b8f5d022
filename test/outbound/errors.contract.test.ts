/** How each provider reports a failed call, and the resulting reason. */
import { describe, expect, it } from "vitest"
import { reply } from "../support/FakePlatform.ts"
import { errorOf } from "./askAdapter.ts"
import * as anthropic from "./fixtures/anthropicMessages.ts"
import * as chat from "./fixtures/chatCompletions.ts"
import * as gemini from "./fixtures/gemini.ts"
import * as openAi from "./fixtures/openAiResponses.ts"

describe("errors as each provider words them", () => {
  it.each<readonly [adapter: string, status: number, body: unknown, expected: object]>([
    ["gemini", 400, gemini.badKey, { reason: "auth", retryable: false }],
    ["gemini", 400, { error: { ...gemini.badKey.error, message: "Renew it." } }, { reason: "auth" }],
    ["gemini", 429, gemini.throttled, { reason: "throttled", retryAfterMs: 34_400 }],
    ["openai-responses", 200, openAi.failed, { reason: "unavailable" }],
    ["openai-responses", 400, { error: { code: "invalid_prompt", message: "flagged" } }, { reason: "refused" }],
    ["openai-responses", 429, { error: { type: "insufficient_quota", message: "pay" } }, { reason: "no_credit" }],
    ...openAi.unpaidCodes.map((code) =>
      ["openai-responses", 429, openAi.unpaid(code), { reason: "no_credit" }] as const
    ),
    ["openai-responses", 200, openAi.blocked("misalignment_policy_violation"), { reason: "refused" }],
    ["openai-responses", 200, openAi.blocked("bio_policy"), { reason: "refused" }],
    ["openai-responses", 429, { error: { code: "cyber_policy", message: "blocked" } }, { reason: "refused" }],
    ["openai-responses", 200, openAi.wrongRegion, { reason: "auth", retryable: false }],
    ["anthropic-messages", 429, anthropic.limited("enforced_spend_limit_reached"), { reason: "no_credit" }],
    ["anthropic-messages", 429, anthropic.limited("contract_spend_limit_reached"), { reason: "no_credit" }],
    ["anthropic-messages", 429, anthropic.limited("ramp_limit_exceeded"), { reason: "throttled" }],
    ["anthropic-messages", 400, anthropic.onHold, { reason: "auth" }],
    ["anthropic-messages", 400, anthropic.error(400, "Your credit balance is too low to access the Anthropic API."), {
      reason: "no_credit"
    }],
    ["openai-responses", 429, chat.errors.xaiUnpaid, { reason: "no_credit" }],
    ["openai-responses", 403, chat.errors.xaiBlocked, { reason: "refused", retryable: false }],
    ["openai-responses", 403, chat.errors.xaiForbidden, { reason: "auth" }],
    ["openai-responses", 403, chat.errors.openRouterBlocked, { reason: "refused", retryable: false }],
    ["openai-responses", 403, chat.errors.openRouterForbidden, { reason: "auth" }],
    ["openai-responses", 400, openAi.azureBlocked, { reason: "refused" }],
    ["anthropic-messages", 400, chat.errors.deepSeekBlocked, { reason: "refused", retryable: false }],
    ["gemini", 429, {
      error: { code: 429, status: "RESOURCE_EXHAUSTED", message: "Your prepayment credits are depleted." }
    }, { reason: "no_credit" }],
    ["anthropic-messages", 402, { type: "error", error: { type: "billing_error", message: "pay" } }, {
      reason: "no_credit"
    }],
    ["anthropic-messages", 413, anthropic.error(413, "too long"), { reason: "rejected" }],
    ["perplexity", 401, "<html><h1>401 Authorization Required</h1></html>", { reason: "auth" }],
    ["openai-compatible", 400, chat.errors.xaiBadKey, { reason: "auth" }],
    ["openai-compatible", 400, chat.errors.mistralInvalid, { reason: "rejected" }],
    ["openai-compatible", 422, chat.errors.mistralDetail, { reason: "rejected" }],
    ["openai-compatible", 402, chat.errors.deepSeekUnpaid, { reason: "no_credit" }],
    ["openai-compatible", 402, chat.errors.openRouterUnpaid, { reason: "no_credit" }],
    ["openai-compatible", 200, chat.openRouterBroken, { reason: "unavailable" }],
    ["openai-compatible", 404, chat.errors.ollamaMissing, { reason: "ended" }],
    ["openai-compatible", 404, chat.errors.vllmMissing, { reason: "ended" }]
  ])("an error of %s with status %i gets the right reason: %j", async (adapter, status, body, expected) => {
    const error = await errorOf(adapter, reply(status, body))
    expect(error).toMatchObject(expected)
    const words = /"(?:message|error|msg)":"([^"\\]{3,})/.exec(JSON.stringify(body))?.[1]
    if (words !== undefined) expect(error.message).toContain(words.trim())
  })
})
