/** A key that a server repeats in its answer is never archived. */
import { describe, expect, it } from "vitest"
import { answerTo } from "./askAdapter.ts"
import * as chat from "./fixtures/chatCompletions.ts"

describe("an answer that repeats the key", () => {
  const key = "canary/8f14e45fceea167a5a36dedd4bea2543\"\\"
  const answering = (body: string, secret = key) => answerTo("openai-compatible", body, {}, secret)
  const escaped = Array.from(key, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`).join("")

  it.each([
    ["plainly", JSON.stringify(chat.answer(`Acme. ${key}`))],
    ["with slashes escaped", JSON.stringify(chat.answer(`Acme. ${key}`)).replaceAll("/", "\\/")],
    ["in escapes", JSON.stringify(chat.answer("Acme. HERE")).replace("HERE", escaped)],
    ["in an address", JSON.stringify(chat.answer(`Acme. ${encodeURIComponent(key)}`))],
    ["after a line break", JSON.stringify(chat.answer(`Acme.\n${key}`))]
  ])("a key that is repeated %s is replaced in text and payload", async (_, body) => {
    const answer = await answering(body)
    expect(answer.text).toMatch(/^Acme\.\s\[redacted\]$/)
    const payload = Buffer.from(answer.payload).toString()
    expect(JSON.parse(payload)).toMatchObject({ choices: [{ message: { content: answer.text } }], model: "some-model" })
    expect(payload).not.toMatch(/canary|8f14e45f|u0038\\u0066/)
  })

  it("a repeated key is also replaced in sources, names and everything else", async () => {
    const body = {
      ...chat.xai,
      model: `m ${key}`,
      citations: [`https://example.org/?k=${encodeURIComponent(key)}`],
      search_results: [{ url: "https://example.org/b", title: key }],
      [key]: [{ deep: [key] }]
    }
    const answer = await answering(JSON.stringify(body))
    expect(JSON.stringify(answer) + Buffer.from(answer.payload).toString()).not.toContain("8f14e45f")
    expect(answer.citations[0]?.url).toBe("https://example.org/?k=[redacted]")
  })

  it("the bytes stay unchanged if they contain no key, or only a word that resembles one", async () => {
    for (const text of [`Acme \\/ ${key.slice(0, -4)}`, "ollama runs Acme"]) {
      const body = JSON.stringify(chat.answer(text), null, 2).replace("/", "\\/")
      expect(Buffer.from((await answering(body)).payload).toString()).toBe(body)
      expect(Buffer.from((await answering(body, "ollama")).payload).toString()).toBe(body)
    }
  })
})
