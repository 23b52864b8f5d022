/** Attributes of the span of a call to a platform, as sent to a collector. */
import { Effect, Tracer } from "effect"
import { expect, it } from "vitest"
import { makeFakePlatform, reply, type Script } from "../support/FakePlatform.ts"
import { platformFrom } from "./adapterCases.ts"
import * as openAi from "./fixtures/openAiResponses.ts"

const spansOf = async (script: Script) => {
  const spans: Array<Tracer.Span> = []
  const tracer = Tracer.make({
    span: (options) => {
      const span = new Tracer.NativeSpan(options)
      spans.push(span)
      return span
    }
  })
  await Effect.runPromise(
    Effect.scoped(Effect.gen(function*() {
      const fake = yield* makeFakePlatform(script)
      yield* Effect.exit(platformFrom("openai-responses", fake.baseUrl, {}, "sk-secret-key").ask("Best anvil?"))
    })).pipe(Effect.withTracer(tracer))
  )
  return spans
}
const attributesOf = (spans: ReadonlyArray<Tracer.Span>) => {
  const found = spans.find(({ name }) => name === "HttpPlatform.ask")!
  expect(found.kind).toBe("client")
  return Object.fromEntries(found.attributes)
}

const request = {
  "gen_ai.operation.name": "chat",
  "gen_ai.provider.name": "openai",
  "gen_ai.request.model": expect.any(String) as string,
  "server.address": "127.0.0.1"
}

it("the span of an answer contains provider, models and tokens, but no text and no key", async () => {
  const body = openAi.answer("Acme makes the best anvil.")
  const spans = await spansOf(reply(200, body))
  expect(attributesOf(spans)).toMatchObject({
    ...request,
    "gen_ai.response.model": body.model,
    "gen_ai.response.finish_reasons": ["stop"],
    "gen_ai.usage.input_tokens": expect.any(Number) as number,
    "gen_ai.usage.output_tokens": expect.any(Number) as number
  })
  const sent = JSON.stringify(spans.map(({ attributes }) => [...attributes]))
  for (const text of ["Best anvil", "Acme makes", "sk-secret-key"]) expect(sent).not.toContain(text)
})

it("the span of a failed call contains only the reason", async () => {
  const spans = await spansOf(reply(401, { error: { message: "key sk-secret-key is wrong" } }))
  const attributes = attributesOf(spans)
  expect(attributes).toMatchObject({ ...request, "error.type": "auth" })
  expect(Object.keys(attributes).filter((name) => name.startsWith("gen_ai.response"))).toEqual([])
})
