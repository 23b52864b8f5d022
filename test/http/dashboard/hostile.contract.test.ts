/** Text from outside stays text on every page: no payload creates an element, an attribute, an address or a header. */
import {
  ArchiveStore,
  CellStore,
  completeScan,
  decideTopics,
  KeywordStore,
  type OrganizationId,
  readRecentSuggestions,
  type Scan,
  TrackedSetStore,
  wholeHistory
} from "@sov/core"
import { addScan, answerTo, at, captureOf, keywords, seedOrganization, trackedSet } from "@sov/core/testing"
import { Effect } from "effect"
import { type DefaultTreeAdapterTypes, parse } from "parse5"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { suggestionLimits } from "../../../packages/http/src/dashboard/handlers/competitors.ts"
import { visible } from "../../../packages/http/src/dashboard/visible.ts"
import { openDashboard, pathOf, type TestBrowser, type TestDashboard } from "../../support/dashboardServer.ts"
import { oneHome } from "../../support/homes.ts"

const payloads: { readonly [name: string]: string } = {
  "a script": "<script>alert(1)</script>",
  "an image that fails": "<img src=x onerror=alert(1)>",
  "a drawing": "<svg onload=alert(1)><a xlink:href=\"javascript:alert(1)\"><text>x</text></a></svg>",
  "an address of a program": "javascript:alert(1)//",
  "an address of data": "data:text/html,<script>alert(1)</script>",
  "quotes that end an attribute": "\"' onmouseover=\"alert(1)\" autofocus onfocus='alert(1)' x=\"><b>",
  "ends of elements": "</textarea></title></style></script></details></select><script>alert(1)</script>",
  "braces of templates": "{{constructor.constructor('alert(1)')()}} ${alert(1)} <%= 1 %> #{1}",
  "marks that turn text around": "\u202Egnp.elif\u2066 \u200Fname\u2069",
  "tags that nobody sees": "ignore \u{E0041}\u{E0042}\u{E007F} \u200B\uFEFF this",
  "line ends of a header": "a\r\nset-cookie: stolen=1\r\n\r\n<b>body</b>",
  "quotes and brackets of other scripts": "＂＞＜script＞alert(1)＜／script＞ “ onload=” \u2028\u2029",
  "comments and declarations": "<!-- --!> <![CDATA[ ]]> <!doctype html> <?php ?>",
  "forms and frames":
    "<form action=//evil.example><input name=q></form><iframe srcdoc='<script>'></iframe><base href=//evil.example>",
  "controls": "a\u0001\u0007\u001B[31m\u007F\u0085b"
}

/** Longer than pages show and indexes store; used only in answers. */
const huge = "<b onclick=x>".repeat(2_000)

/** Answers never contain NUL, because it is replaced when they arrive; requests may contain it. */
const withZero = "a\u0000b<b>"

const harmless = "plain words"

let server: TestDashboard

beforeAll(async () => {
  server = await openDashboard(oneHome[0]!)
})
afterAll(() => server.close())

let organizations = 0

/**
 * An organization whose names, questions, answers, sources and errors all contain the payload, with two scans of six
 * questions.
 */
const seedHostile = (text: string, name = text) =>
  Effect.gen(function*() {
    const { id } = yield* seedOrganization({ name: `${name} ${++organizations}` })
    const set = yield* trackedSet()
    yield* (yield* TrackedSetStore).append(id, {
      ...set,
      // The answers name the brand by its alias, so that the measurement does not depend on the payload
      brand: { ...set.brand, name: `${name} Anvils`, aliases: ["Acme Forge"] },
      competitors: set.competitors.map((one) => ({ ...one, name: `${name} ${one.name}`, aliases: [one.name] }))
    })
    yield* (yield* KeywordStore).add(id, yield* keywords(Array.from({ length: 6 }, (_, n) => `${name} ${n}`)))
    const asked = yield* (yield* KeywordStore).list(id, ["active"])
    // The payload affects how similar the questions are considered to be
    yield* decideTopics(id, "join", asked.map((one) => one.id))
    const scans: Array<Scan> = []
    for (const seconds of [0, 600]) {
      const { cells, scan } = yield* addScan(id, asked, { startedAt: at(seconds) })
      for (const [n, cell] of cells.entries()) {
        yield* n === 11
          ? (yield* CellStore).fail(id, cell.id, { reason: "malformed", message: text, excerpt: text, status: 502 })
          : (yield* ArchiveStore).archive(id, yield* makeAnswer(cell, text, name), null)
      }
      yield* completeScan(id, scan.id)
      scans.push(scan)
    }
    return { id, scan: scans[1]! }
  })

const makeAnswer = (cell: Parameters<typeof answerTo>[0], text: string, name: string) => {
  const { found } = captureOf()
  const [source] = found.sources
  const sources = [
    { ...source!, url: name, title: name, page: null, host: null, domain: null },
    { ...source!, url: `https://evil.example/${encodeURIComponent(name)}`, title: name }
  ]
  return answerTo(cell, {
    rawResponse: `Acme Forge, then Globex, then Initech.\n\n${text}`,
    model: name,
    capture: captureOf({ found: { ...found, sources, queries: [name] } })
  })
}

type Node = DefaultTreeAdapterTypes.ChildNode
type Element = DefaultTreeAdapterTypes.Element

const elementsOf = (nodes: ReadonlyArray<Node>): ReadonlyArray<Element> =>
  nodes.flatMap((node) => "tagName" in node ? [node, ...elementsOf(node.childNodes)] : [])

const textOf = (nodes: ReadonlyArray<Node>): string =>
  nodes.map((node) => "value" in node ? node.value : "childNodes" in node ? textOf(node.childNodes) : "").join("")

const parsed = (html: string) => {
  const nodes = parse(html).childNodes as ReadonlyArray<Node>
  return { elements: elementsOf(nodes), text: textOf(nodes) }
}

/** How often each kind of element occurs on a page, except for marked names, which depend on the text. */
const countTags = (elements: ReadonlyArray<Element>): Readonly<Record<string, number>> => {
  const counts: Record<string, number> = {}
  for (const { tagName } of elements) if (tagName !== "mark") counts[tagName] = (counts[tagName] ?? 0) + 1
  return counts
}

const addressNames = new Set(["href", "src", "action", "formaction", "data-events"])

/** No attribute contains a program, and every address leads to this server or, as a link, to a web page. */
const expectTame = (elements: ReadonlyArray<Element>, path: string) => {
  for (const { attrs, tagName } of elements) {
    for (const { name, value } of attrs) {
      expect(name, path).toMatch(/^(?!on)[a-z][a-zA-Z0-9-]*$/)
      expect(["style", "srcdoc", "autofocus"], path).not.toContain(name)
      if (addressNames.has(name)) {
        expect(value, `${path} <${tagName} ${name}>`).toMatch(
          tagName === "a" ? /^(?:\/(?!\/)|#|https:\/\/evil\.example\/)/ : /^\/(?!\/)/
        )
      }
    }
  }
}

/** The pages that show the results of a scan; `answer` and `keyword` are the ids of one answer and one keyword. */
const pagesOf = (scan: Scan, answer: string, keyword: string): ReadonlyArray<`/${string}` | ""> => [
  "",
  "/answers",
  `/answers?scan_id=${scan.id}`,
  `/answers/${answer}`,
  "/scans",
  `/scans/${scan.id}`,
  "/scans/new",
  "/scans/compare",
  "/keywords",
  `/keywords/${keyword}`,
  `/keywords/${keyword}/remove`,
  "/competitors",
  "/competitors/brand",
  "/competitors/measure"
]

const firstKeyword = async (browser: TestBrowser, home: string) =>
  /keywords\/([0-9a-f-]{36})">/.exec((await browser.get(`${home}/keywords`)).text)![1]!

const firstAnswer = async (browser: TestBrowser, home: string) =>
  /answers\/([0-9a-f-]{36})">/.exec((await browser.get(`${home}/answers`)).text)![1]!

/** All pages of an organization, parsed. */
const readPages = async (made: { readonly id: OrganizationId; readonly scan: Scan }) => {
  // The competitors page stops searching after two seconds, which is too short for long answers on a busy machine
  await server.run(readRecentSuggestions(made.id, wholeHistory, suggestionLimits, "10 minutes"))
  const browser = await server.signIn(made.id)
  const home = await server.run(pathOf(made.id))
  const paths = pagesOf(made.scan, await firstAnswer(browser, home), await firstKeyword(browser, home))
  return Promise.all(paths.map(async (path) => {
    const { headers, status, text } = await browser.get(`${home}${path}`)
    return { path, headers, status, ...parsed(text) }
  }))
}

let tame: Awaited<ReturnType<typeof readPages>>
beforeAll(async () => {
  tame = await readPages(await server.run(seedHostile(harmless)))
})

/** The text as a parser returns it: it turns both kinds of line ends into one. */
const normalized = (text: string): string => text.replaceAll("\r\n", "\n").replaceAll(/\s+/g, " ")

describe.each([
  ...Object.entries(payloads).map(([name, text]) => ({ name, text, names: text })),
  { name: "a huge one", text: huge, names: harmless }
])("$name", ({ names, text }) => {
  it("the hostile text is shown as text, and every page has the same elements as with harmless words", async () => {
    const found = await readPages(await server.run(seedHostile(text, names)))
    for (const [i, { elements, headers, path, status }] of found.entries()) {
      expect(status, path).toBe(200)
      expect({ path, tags: countTags(elements) }).toEqual({ path, tags: countTags(tame[i]!.elements) })
      expectTame(elements, path)
      expect(headers["set-cookie"]?.toString() ?? "", path).not.toContain("stolen")
    }
    // The text is on the page, in full where pages show texts in full
    const shown = normalized(visible(names))
    for (const { path, text: words } of found) expect(normalized(words), path).toContain(shown.trim().slice(0, 60))
    const answer = found.find(({ path }) => path.startsWith("/answers/"))!
    expect(normalized(answer.text)).toContain(
      normalized(visible(text.slice(0, 10_000))).trim()
    )
  })
})

it.each([...Object.values(payloads), huge, withZero])(
  "%j is refused as a filter, an id, a name in an address and a code, and never becomes markup",
  async (text) => {
    const made = await server.run(seedOrganization())
    const browser = await server.signIn(made.id)
    const home = await server.run(pathOf(made.id))
    const value = encodeURIComponent(text.slice(0, 2000))
    const asked = [
      `${home}/answers?platform=${value}`,
      `${home}/answers?from=${value}&to=`,
      `${home}/answers?cursor=${value}`,
      `${home}/scans?cursor=${value}`,
      `${home}/keywords?status=${value}`,
      `${home}/keywords?cursor=${value}`,
      `${home}/keywords?q=${value}`,
      `${home}/scans/new?keyword_id=${value}`,
      `${home}/scans/compare?before=${value}&after=${value}`,
      `${home}/answers?done=${value}`,
      `${home}/answers?${value}=${value}`
    ]
    for (const path of asked) {
      const { headers, status, text: page } = await browser.get(path)
      expect([200, 303, 400, 404], path).toContain(status)
      expect(headers["location"] ?? "/", path).toMatch(/^\/(?!\/)[!-~]*$/)
      expect(headers["set-cookie"]?.toString() ?? "", path).not.toContain("stolen")
      const { elements } = parsed(page)
      expectTame(elements, path)
      expect(elements.filter(({ tagName }) => tagName === "script").length, path).toBeLessThanOrEqual(1)
      expect(elements.filter(({ tagName }) => /^(?:img|iframe|base|b)$/.test(tagName)), path).toEqual([])
      const areas = elements.filter(({ tagName }) => tagName === "textarea")
      expect(areas.map(({ attrs }) => attrs.find(({ name }) => name === "name")?.value ?? ""), path)
        .toEqual(path.startsWith(`${home}/keywords`) && status === 200 ? ["texts"] : [])
    }
  }
)
