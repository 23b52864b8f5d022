/** How many requests a key has left, according to the headers of a reply. */
import { Exit } from "effect"
import { expect, it } from "vitest"
import { reply } from "../support/FakePlatform.ts"
import { ask } from "./askAdapter.ts"
import * as anthropic from "./fixtures/anthropicMessages.ts"
import * as chat from "./fixtures/chatCompletions.ts"

const limitOf = async (adapter: string, body: unknown, headers: Record<string, string>) => {
  const { exit } = await ask(adapter, reply(200, body, headers))
  return Exit.isSuccess(exit) ? exit.value.requestLimit : expect.fail("no answer")
}
const openAi = { "x-ratelimit-limit-requests": "500", "x-ratelimit-remaining-requests": "499" }

it("an answer contains the limit from the headers of OpenAI or Anthropic", async () => {
  expect(await limitOf("openai-compatible", chat.answer("Acme."), openAi)).toEqual({ limit: 500, remaining: 499 })
  expect(
    await limitOf("anthropic-messages", anthropic.answer("Acme."), {
      "anthropic-ratelimit-requests-limit": "50",
      "anthropic-ratelimit-requests-remaining": "0"
    })
  ).toEqual({ limit: 50, remaining: 0 })
})

it.each([
  [{}],
  [{ "x-ratelimit-limit-requests": "500" }],
  [{ ...openAi, "x-ratelimit-limit-requests": "1e3" }],
  [{ ...openAi, "x-ratelimit-remaining-requests": "-1" }],
  [{ ...openAi, "x-ratelimit-remaining-requests": "12345678901" }]
])("an answer contains no limit if the headers are %j", async (headers) => {
  expect(await limitOf("openai-compatible", chat.answer("Acme."), headers)).toBeUndefined()
})
