import { deriveSources, maxSources } from "@sov/core"
import fc from "fast-check"
import { describe, expect, it, vi } from "vitest"
import { propertyRuns } from "../../support/propertyRuns.ts"
import { bytes, derive, openAi } from "./support.ts"

describe("bad input", () => {
  const cite = (url: unknown, title: unknown = null) => ({ type: "url_citation", url, title })

  it("500 of 600 sources are kept, and 100 are reported as cut", () => {
    const found = derive(
      "openai-responses",
      "A",
      openAi("A", Array.from({ length: 600 }, (_, i) => cite(`https://a.example/${i}`)))
    )
    expect(found.sources).toHaveLength(maxSources)
    expect(found.cut).toBe(100)
  })

  it("beyond the limit, cited sources are kept first, then sources in the text", () => {
    const text = "See https://linked.example/a and https://linked.example/b."
    const cited = Array.from({ length: 400 }, (_, i) => cite(`https://a.example/${i}`))
    const consulted = Array.from({ length: 3_000 }, (_, i) => ({ type: "url", url: `https://b.example/${i}` }))
    const search = { type: "web_search_call", action: { type: "search", sources: consulted } }
    const { cut, sources } = derive("openai-responses", text, openAi(text, cited, [search]))
    const count = (kind: string) => sources.filter((source) => source.kind === kind).length
    expect([count("cited"), count("retrieved"), count("in_text")]).toEqual([400, 98, 2])
    expect(sources.slice(-2).map(({ page }) => page)).toEqual(["https://linked.example/a", "https://linked.example/b"])
    expect(cut).toBe(2_902)
  })

  it("an invalid or overlong address is counted but not kept", () => {
    const urls = [
      "javascript:alert(1)",
      `https://a.example/${"a".repeat(8193 - 18)}`,
      "data:text/html,x",
      "https://a.example/"
    ]
    const found = derive("openai-responses", "A", openAi("A", urls.map((url) => cite(url))))
    expect(found.sources.map(({ url }) => url)).toEqual(["https://a.example/"])
    expect(found.cut).toBe(3)
  })

  it("titles keep up to 1,000 characters that a database can store", () => {
    const title = `\u001b[31m\u202e=1+1\u0000\ud800${"t".repeat(2000)}`
    const [source] = derive("openai-responses", "A", openAi("A", [cite("https://a.example/", title)])).sources
    expect(source!.title).toBe(`\u001b[31m\u202e=1+1\ufffd\ufffd${"t".repeat(2000)}`.slice(0, 1000))
  })

  describe("the work of a body of 4 MiB is bounded", () => {
    const limit = 4_194_304
    /** The sources of a body of this many bytes, and how many addresses were parsed for them. */
    const countParses = (adapter: string, text: string, body: string) => {
      const payload = bytes(body)
      expect(payload.length).toBeLessThanOrEqual(limit)
      const parse = vi.spyOn(URL, "parse")
      try {
        return { found: deriveSources({ adapter, text, payload, citations: [] }), parsed: parse.mock.calls.length }
      } finally {
        parse.mockRestore()
      }
    }
    const listed = (text: string, entries: ReadonlyArray<string>) =>
      `{"choices":[{"message":{"content":${JSON.stringify(text)}}}],"citations":[${entries.join()}]}`

    it("an address that is cited a million times is parsed once", () => {
      const { found, parsed } = countParses("perplexity", "A", listed("A", Array(1_000_000).fill("\"a\"")))
      expect(found).toMatchObject({ status: "unreadable", sources: [], cut: 1 })
      expect(parsed).toBeLessThanOrEqual(4)
    })

    it("2,000 addresses of a full body are parsed, and the other addresses are counted", () => {
      const entries = Array.from({ length: 200_000 }, (_, i) => `"http://a.b/${i}"`)
      const { found, parsed } = countParses("perplexity", "A", listed("A", entries))
      expect(found.sources).toHaveLength(maxSources)
      expect(found.cut).toBe(200_000 - maxSources)
      expect(parsed).toBeLessThanOrEqual(4 * 4 * maxSources)
    })

    it("the work for spans grows by one per annotation, however many share a part and however spans are counted", () => {
      const text = "\u{1F6E0} a.b"
      const note = { type: "url_citation", url: "http://a.b/", start_index: 1, end_index: 6 }
      const notes = Math.floor((limit - 200) / (JSON.stringify(note).length + 1))
      const { found, parsed } = countParses(
        "openai-responses",
        text,
        JSON.stringify(openAi(text, Array<object>(notes).fill(note)))
      )
      expect(found.sources).toHaveLength(1)
      expect(parsed).toBeLessThanOrEqual(notes + 8)
    })
  })

  it.each([
    ["no JSON", "<html>"],
    ["half a body", "{\"output\": ["],
    ["another shape", "{\"outputs\": []}"],
    ["a number", "7"]
  ])("the payload of %s is unreadable, but sources in the text are read", (_, body) => {
    for (const adapter of ["openai-responses", "anthropic-messages", "gemini", "perplexity", "openai-compatible"]) {
      const found = deriveSources({ adapter, text: "https://acme.com/a", payload: bytes(body), citations: [] })
      expect(found.status).toBe("unreadable")
      expect(found.sources.map(({ kind }) => kind)).toEqual(["in_text"])
    }
  })
})

describe("for any payload", () => {
  const adapters = [
    "openai-responses",
    "anthropic-messages",
    "gemini",
    "perplexity",
    "openai-compatible",
    "simulated",
    "x"
  ]
  const names = [
    "output",
    "type",
    "message",
    "content",
    "output_text",
    "text",
    "annotations",
    "url",
    "title",
    "start_index",
    "end_index",
    "web_search_call",
    "action",
    "sources",
    "queries",
    "query",
    "citations",
    "web_search_tool_result",
    "server_tool_use",
    "input",
    "candidates",
    "groundingMetadata",
    "groundingChunks",
    "groundingSupports",
    "web",
    "uri",
    "segment",
    "startIndex",
    "endIndex",
    "groundingChunkIndices",
    "parts",
    "partIndex",
    "choices",
    "search_results",
    "results",
    "id",
    "retrieved",
    "name"
  ]
  const leaf = fc.oneof(
    fc.constantFrom(
      "https://a.example/1",
      "https://b.example/?utm_source=x",
      "javascript:x",
      "message",
      "output_text",
      "text",
      "web_search_call",
      "search_results",
      "[1] https://c.example/ [2]",
      "🏆 ß"
    ),
    fc.integer({ min: -2, max: 12 }),
    fc.double(),
    fc.constant(null),
    fc.boolean(),
    fc.string({ unit: "binary" })
  )
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      leaf,
      fc.array(tie("value"), { maxLength: 4 }),
      fc.dictionary(fc.constantFrom(...names), tie("value"), { maxKeys: 6 })
    )
  }))
  const shaped = fc.tuple(value, value, value).map(([a, b, c]) => ({
    output: [a, {
      type: "message",
      content: [{ type: "output_text", text: "[1] https://c.example/ [2]", annotations: [b] }]
    }],
    content: [a, b, c],
    choices: [{ message: { content: b, annotations: [c] } }],
    citations: a,
    search_results: b,
    candidates: [{ content: { parts: [a] }, groundingMetadata: { groundingChunks: b, groundingSupports: c } }]
  }))

  it("deriving never throws, spans are inside the text, and each page occurs once", () => {
    fc.assert(
      fc.property(fc.constantFrom(...adapters), fc.oneof(value, shaped), fc.string(), (adapter, body, tail) => {
        const text = `[1] https://c.example/ [2]${tail}`
        const { sources } = derive(adapter, text, body)
        for (const { domain, end, host, page, start } of sources) {
          if (start !== null) expect(0 <= start && start < end! && end! <= text.length).toBe(true)
          expect((host === null) === (domain === null)).toBe(true)
          if (page !== null) expect(host).not.toBeNull()
        }
        const pages = sources.flatMap(({ page }) => page ?? [])
        expect(new Set(pages).size).toBe(pages.length)
      }),
      { numRuns: propertyRuns(3000) }
    )
  })
})
