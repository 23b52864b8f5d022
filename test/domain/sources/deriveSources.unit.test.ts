import { deriveSources } from "@sov/core"
import { describe, expect, it } from "vitest"
import { bytes, derive, openAi, short } from "./support.ts"

describe("OpenAI Responses", () => {
  const text = "Acme leads ([example.org](https://example.org/anvils?utm_source=openai)). Initech follows."
  const mark = "([example.org](https://example.org/anvils?utm_source=openai))"
  const found = derive(
    "openai-responses",
    text,
    openAi(text, [{
      type: "url_citation",
      url: "https://example.org/anvils?utm_source=openai",
      title: "Anvils compared",
      start_index: text.indexOf(mark),
      end_index: text.indexOf(mark) + mark.length
    }], [
      {
        type: "web_search_call",
        action: {
          type: "search",
          query: "old",
          queries: ["best anvil", "best anvil", "", "anvil test"],
          sources: [
            { type: "url", url: "https://example.org/anvils" },
            { type: "url", url: "https://example.net/forge" },
            { type: "api", name: "oai-weather" }
          ]
        }
      },
      { type: "web_search_call", action: { type: "open_page", url: "https://example.com/opened" } },
      { type: "web_search_call", action: { type: "find_in_page", url: "https://example.com/opened", pattern: "x" } },
      { type: "web_search_call", action: { type: "search", query: "only the old member" } }
    ])
  )

  it("pages in annotations are cited, and consulted and opened pages are retrieved, each page once", () => {
    expect(found.status).toBe("complete")
    expect(found.sources.map(short(text))).toEqual([
      `cited | example.org/anvils | ${mark}`,
      "retrieved | example.net/forge",
      "retrieved | example.com/opened"
    ])
    expect(found.sources[0]).toMatchObject({ title: "Anvils compared", domain: "example.org" })
    expect(found.cut).toBe(0)
  })

  it("queries come from `queries`, or else from the older `query`", () => {
    expect(found.queries).toEqual(["best anvil", "anvil test", "only the old member"])
  })

  it("spans counted in code points and in UTF-16 units are both read, as the host in the text shows", () => {
    const emoji = "🏆🏆 Acme leads (acme.com)."
    const note = (start_index: number) => ({
      type: "url_citation",
      url: "https://www.acme.com/a",
      title: null,
      start_index,
      end_index: start_index + 10
    })
    const at = emoji.indexOf("(acme")
    for (const start of [at, at - 2]) {
      const [source] = derive("openai-responses", emoji, openAi(emoji, [note(start)])).sources
      expect(emoji.slice(source!.start!, source!.end!)).toBe("(acme.com)")
    }
    expect(derive("openai-responses", emoji, openAi(emoji, [note(0)])).sources[0]!.start).toBeNull()
  })

  it("spans of a later part are shifted by its offset", () => {
    const whole = "First.\n\nSecond."
    const message = (shown: string, annotations: ReadonlyArray<object>) => openAi(shown, annotations).output.at(-1)!
    const body = {
      output: [
        { ...message("I will search.", []), phase: "commentary" },
        message("First.", []),
        message("Second.", [{ type: "url_citation", url: "https://a.example/", start_index: 0, end_index: 6 }])
      ]
    }
    expect(derive("openai-responses", whole, body).sources.map(short(whole))).toEqual(["cited | a.example/ | Second"])
  })

  it("an answer without a search counts as citing nothing", () => {
    expect(derive("openai-responses", "Acme.", openAi("Acme.", []))).toEqual({
      status: "complete",
      sources: [],
      queries: [],
      cut: 0
    })
  })
})

describe("Anthropic Messages", () => {
  const search = (id: string, query: string, url: string) => [
    { type: "server_tool_use", id, name: "web_search", input: { query } },
    { type: "web_search_tool_result", tool_use_id: id, content: [{ type: "web_search_result", url, title: "T" }] }
  ]
  const cited = (text: string, url: string) => ({
    type: "text",
    text,
    citations: [{ url, title: null, cited_text: "…" }]
  })
  const text = "Let me look.\n\nAcme leads and Initech follows."
  const first = { content: [{ type: "text", text: "Let me look." }, search("1", "best anvil", "")[0]] }
  const second = {
    content: [
      search("1", "", "https://example.com/never-cited")[1],
      cited("Acme leads", "https://example.org/a"),
      { type: "text", text: " and ", citations: null },
      cited("Initech follows", "https://example.net/b"),
      { type: "text", text: "." }
    ]
  }
  const expected = [
    "cited | example.org/a | Acme leads",
    "cited | example.net/b | Initech follows",
    "retrieved | example.com/never-cited"
  ]

  it.each([["compact", 0], ["indented, with line feeds of their own", 2]])(
    "the bodies of a paused call are read, %s",
    (_, indent) => {
      const payload = bytes(JSON.stringify(first, null, indent), JSON.stringify(second, null, indent))
      const found = deriveSources({ adapter: "anthropic-messages", text, payload, citations: [] })
      expect(found.status).toBe("complete")
      expect(found.sources.map(short(text))).toEqual(expected)
      expect(found.queries).toEqual(["best anvil"])
    }
  )

  const failed = {
    type: "web_search_tool_result",
    content: { type: "web_search_tool_result_error", error_code: "unavailable" }
  }

  it("an answer whose only search failed is unreadable", () => {
    expect(derive("anthropic-messages", "Sorry.", { content: [failed] })).toMatchObject({
      status: "unreadable",
      sources: []
    })
    const body = { content: [failed, ...search("2", "best anvil", "https://example.org/a")] }
    expect(derive("anthropic-messages", "Acme.", body)).toMatchObject({ status: "complete", sources: [{}] })
  })
})

describe("Gemini", () => {
  const redirect = "https://vertexaisearch.cloud.google.com/grounding-api-redirect/AUZ"
  const body = (text: string, metadata: object) => ({
    candidates: [{ content: { parts: [{ text: "Hm.", thought: true }, { text }] }, groundingMetadata: metadata }]
  })
  const text = "Für Kenner 🏆: Acme führt. Initech folgt."
  const bytesBefore = (part: string) => Buffer.byteLength(text.slice(0, text.indexOf(part)))
  const segment = (part: string) => ({
    partIndex: 1,
    startIndex: bytesBefore(part),
    endIndex: bytesBefore(part) + Buffer.byteLength(part),
    text: part
  })
  const metadata = {
    webSearchQueries: ["bester Amboss", ""],
    groundingChunks: [
      { web: { uri: `${redirect}1`, title: "example.org" } },
      { web: { uri: `${redirect}2`, title: "www.shop.example.co.uk" } },
      { web: { uri: `${redirect}3`, title: "A title", domain: "example.net" } },
      { web: { uri: `${redirect}4`, title: "A title" } }
    ],
    groundingSupports: [
      { segment: segment("Acme führt."), groundingChunkIndices: [0, 3] },
      { segment: { ...segment("Initech folgt."), endIndex: 3 }, groundingChunkIndices: [2] }
    ]
  }

  it("supported chunks are cited with their byte spans, others are retrieved, and a redirect's host is not a site", () => {
    const found = derive("gemini", text, body(text, metadata))
    expect(found.sources.map(short(text))).toEqual([
      "cited | (example.org) | Acme führt.",
      "cited | (example.net)",
      "cited | (null) | Acme führt.",
      "retrieved | (example.co.uk)"
    ])
    expect(found.sources.find(({ kind }) => kind === "retrieved")).toMatchObject({ host: "shop.example.co.uk" })
    expect(found.queries).toEqual(["bester Amboss"])
  })

  it("chunks without support are cited, because the platform lists them as the answer's sources", () => {
    const { groundingSupports: _, ...listed } = metadata
    expect(derive("gemini", text, body(text, listed)).sources.map(({ kind }) => kind)).toEqual(Array(4).fill("cited"))
  })

  it("an answer without grounding counts as citing nothing", () => {
    const found = derive("gemini", "Acme.", { candidates: [{ content: { parts: [{ text: "Acme." }] } }] })
    expect(found).toEqual({ status: "complete", sources: [], queries: [], cut: 0 })
  })
})

describe("Perplexity", () => {
  const agent = (text: string, results: ReadonlyArray<object>, annotations: ReadonlyArray<object> = []) => ({
    output: [
      { type: "search_results", results },
      { type: "message", content: [{ type: "output_text", text, annotations }] }
    ]
  })

  it("an Agent result without an id is cited by its position, and all results if the text refers to none", () => {
    const results = [{ url: "https://a.example/" }, { url: "https://b.example/" }]
    const kindsOf = (text: string, annotations: ReadonlyArray<object> = []) =>
      derive("perplexity", text, agent(text, results, annotations)).sources.map(({ domain, kind }) =>
        `${kind} ${domain}`
      )
    expect(kindsOf("Acme leads [2].")).toEqual(["cited b.example", "retrieved a.example"])
    expect(kindsOf("Acme leads.")).toEqual(["cited a.example", "cited b.example"])
    expect(kindsOf("Acme leads.", [{ type: "url_citation", url: "https://b.example/" }])).toEqual([
      "cited b.example",
      "retrieved a.example"
    ])
  })

  it("Agent results that a mark names are cited, other results and fetched pages are retrieved", () => {
    const text = "Acme leads [2]. Initech follows [web:3]. Nobody knows [9]."
    const body = {
      output: [
        {
          type: "search_results",
          queries: ["best anvil"],
          results: [
            { id: 1, url: "https://example.com/one", title: "One" },
            { id: 2, url: "https://example.org/two", title: "Two" },
            { id: 3, url: "https://example.net/three", title: "Three" }
          ]
        },
        { type: "fetch_url_results", contents: [{ url: "https://example.com/fetched", title: "F" }] },
        { type: "message", content: [{ type: "output_text", text, annotations: [] }] }
      ]
    }
    const found = derive("perplexity", text, body)
    expect(found.sources.map(short(text))).toEqual([
      "cited | example.org/two | [2]",
      "cited | example.net/three | [web:3]",
      "retrieved | example.com/one",
      "retrieved | example.com/fetched"
    ])
    expect(found.queries).toEqual(["best anvil"])
  })

  const sonar = (content: string) => ({
    choices: [{ message: { content } }],
    citations: ["https://example.org/a", "https://example.net/b"],
    search_results: [{ url: "https://example.org/a", title: "A" }, { url: "https://example.com/c", title: "C" }]
  })

  it("Sonar sources that a mark names are cited, and their titles come from the results", () => {
    const text = "Acme leads.[1]"
    const found = derive("perplexity", text, sonar(`<think>[2]</think>${text}`))
    expect(found.sources.map(short(text))).toEqual([
      "cited | example.org/a | [1]",
      "retrieved | example.net/b",
      "retrieved | example.com/c"
    ])
    expect(found.sources[0]!.title).toBe("A")
  })

  it("the sources in a Sonar list are all cited if no mark refers to them", () => {
    expect(derive("perplexity", "Acme.", sonar("Acme.")).sources.map(({ kind }) => kind)).toEqual([
      "cited",
      "cited",
      "retrieved"
    ])
  })
})

describe("chat completions", () => {
  it("pages in annotations are cited with their spans", () => {
    const text = "Acme leads example.org."
    const body = {
      choices: [{
        message: {
          content: `<think>x</think>${text}`,
          annotations: [{
            type: "url_citation",
            url_citation: { url: "https://example.org/a", title: "A", start_index: 27, end_index: 38 }
          }]
        }
      }]
    }
    expect(derive("openai-compatible", text, body).sources.map(short(text))).toEqual([
      "cited | example.org/a | example.org"
    ])
  })

  it("a platform without any list has the status unsupported", () => {
    const found = derive("openai-compatible", "See https://acme.com/a.", { choices: [{ message: { content: "…" } }] })
    expect(found.status).toBe("unsupported")
    expect(found.sources.map(({ kind }) => kind)).toEqual(["in_text"])
  })
})

describe("sources in the text", () => {
  const text = [
    "Read [the test](https://acme.com/test?utm_source=x) and https://example.org/a.",
    "![shot](https://acme.com/shot.png) (https://en.wikipedia.org/wiki/Anvil_(tool)), HTTPS://ACME.COM/test"
  ].join("\n")

  it("addresses in the text count once, and images do not count", () => {
    const found = deriveSources({ adapter: "import", text, payload: null, citations: [] })
    expect(found.status).toBe("unsupported")
    expect(found.sources.map(short(text))).toEqual([
      "in_text | acme.com/test | https://acme.com/test?utm_source=x",
      "in_text | example.org/a | https://example.org/a",
      "in_text | en.wikipedia.org/wiki/Anvil_(tool) | https://en.wikipedia.org/wiki/Anvil_(tool)"
    ])
  })

  it("a retrieved page that the text links to is cited", () => {
    const body = openAi(text, [], [{
      type: "web_search_call",
      action: { type: "search", sources: [{ type: "url", url: "https://example.org/a/" }] }
    }])
    expect(derive("openai-responses", text, body).sources.map(short(text))[0]).toBe(
      "cited | example.org/a | https://example.org/a"
    )
  })
})

describe("other adapters", () => {
  it("an unknown adapter reports the citations that it read itself", () => {
    const citations = [{ url: "https://b.example/", title: null, position: 2 }, {
      url: "https://a.example/",
      title: null,
      position: 1
    }]
    const text = "Acme [1]."
    expect(deriveSources({ adapter: "my-own", text, payload: bytes("<xml/>"), citations }).sources.map(short(text)))
      .toEqual([
        "cited | a.example/ | [1]",
        "retrieved | b.example/"
      ])
  })

  it("simulated answers have citations, retrieved pages and queries", () => {
    const body = {
      simulated: true,
      text: "Acme.",
      citations: [{ url: "https://a.example/", title: "A", position: 1 }],
      retrieved: [{ url: "https://b.example/", title: "B" }],
      queries: ["anvil"]
    }
    const found = derive("simulated", "Acme.", body)
    expect(found.sources.map(({ kind }) => kind)).toEqual(["cited", "retrieved"])
    expect(found.queries).toEqual(["anvil"])
  })
})
