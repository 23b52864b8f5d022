/** Whatever names, questions and answers say: no chat sees a mention, a link or a broken block in them. */
import {
  type ChatMessage,
  describeEvent,
  type EventNames,
  eventNames,
  type KeywordId,
  makeDiscordBody,
  makeSampleEvent,
  makeSlackBody,
  makeTeamsBody,
  type OutboundEvent
} from "@sov/core"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { readDiscord, readSlack, readTeams, type Shown } from "../../../support/chatReaders.ts"
import { propertyRuns } from "../../../support/propertyRuns.ts"

/** What people and programs write who want to be seen, opened or to break something. */
const attacks = [
  "<!channel>",
  "<!here|all>",
  "<@U012AB3CD>",
  "<#C012|general>",
  "<https://evil.example|Acme>",
  "&lt;!everyone&gt;",
  "@everyone",
  "@here",
  "<@80351110224678912>",
  "<@&165511591545143296>",
  "<:acme:41771983429993937>",
  "<t:1618953630>",
  ":tada:",
  "[Acme](https://evil.example)",
  "https://evil.example/?a=b&c=d",
  "HTTPS://EVIL.EXAMPLE",
  "mailto:a@evil.example",
  "<at>Ann</at>",
  "{{DATE(2017-02-14T06:00:00Z, SHORT)}}",
  "${title}",
  "@{triggerBody()}",
  "**bold**",
  "||spoiler||",
  "```code",
  "# head\n> quote\n- item\n1. one",
  "\"}],\"text\":\"<!channel>",
  "\\",
  "\\\\<@1>",
  "\u202Eevil\u2066",
  "\u0000\u0007\u001B[31m",
  "\r\n\r\n",
  "\u2028",
  "\uD83D",
  "👩‍👩‍👧‍👦",
  "e\u0301\u0301\u0301",
  "日本語",
  "_".repeat(300),
  "<".repeat(700),
  "Acme"
]
const hostile = fc.oneof(
  { weight: 6, arbitrary: fc.array(fc.constantFrom(...attacks), { maxLength: 6 }).map((parts) => parts.join("")) },
  {
    weight: 3,
    arbitrary: fc.array(fc.constantFrom(...attacks, " "), { maxLength: 9 }).map((parts) => parts.join(" "))
  },
  { weight: 2, arbitrary: fc.string({ unit: "binary", maxLength: 400 }) },
  { weight: 1, arbitrary: fc.constantFrom("", " ", "a".repeat(20_000), "&".repeat(5_000), "👩‍👩‍👧‍👦".repeat(900)) }
)

const origin = "https://sov.example/o/acme"
const names = fc.record<EventNames>({
  brand: hostile,
  organization: hostile,
  keywords: hostile.map((text) => ({ get: () => text }) as unknown as ReadonlyMap<KeywordId, string>),
  comparedWith: fc.constant(null),
  organizationUrl: fc.constantFrom(origin, null),
  quote: fc.option(hostile)
})
const event = fc.record({ name: fc.constantFrom(...eventNames), competitor: hostile, test: fc.boolean() }).map(
  ({ competitor, name, test }): OutboundEvent => {
    const sample = makeSampleEvent(name, "01900000-0000-7000-8000-00000000000a" as never, new Date(0))
    const { test: _, ...data } = sample.data as { readonly test?: true }
    return {
      ...sample,
      data: {
        ...data,
        ...test ? { test } : {},
        ...name === "competitor.overtake" ? { competitor_name: competitor } : {},
        ...sample.event === "competitor.suggested"
          ? { names: sample.data.names.map((one) => ({ ...one, name: competitor })) }
          : {}
      }
    } as OutboundEvent
  }
)

const readers: ReadonlyArray<readonly [string, (message: ChatMessage) => Shown]> = [
  ["slack", (message) => readSlack(makeSlackBody(message))],
  ["discord", (message) => readDiscord(makeDiscordBody(message))],
  ["teams", (message) => readTeams(makeTeamsBody(message))]
]

describe.each(readers)("%s", (_, read) => {
  it("a chat message shows 500 hostile names and answers as text, with at most one link, which is ours", () => {
    fc.assert(
      fc.property(event, names, (given, about) => {
        const message = describeEvent(given, about)
        const { links, texts } = read(message)
        expect(links).toEqual(message.url === null ? [] : [message.url])
        expect(texts.join("\n")).not.toContain("&amp;lt;")
      }),
      { numRuns: propertyRuns(500) }
    )
  })

  it("a chat message shows a name as it is written, and cuts a long name between two characters with …", () => {
    const shows = (brand: string) =>
      read({ title: brand, facts: [[brand, brand]], quote: brand, paragraphs: [brand], url: null }).texts.join("\n")
    const odd = "AT&T <b> *x* _y_ [z](q) @w :v: #1 {{u}} 日本 👩‍👩‍👧‍👦"
    expect(shows(odd)).toContain(odd)
    expect(shows(`x${"👩‍👩‍👧‍👦".repeat(200)}`)).toMatch(/^x(?:👩‍👩‍👧‍👦)+…$/mu)
    expect(shows("a\u0301".repeat(1_000))).toMatch(/^(?:a\u0301)+…$/mu)
    expect(shows("&".repeat(1_000))).toMatch(/^&+…$/m)
    expect(shows("*".repeat(1_000))).toMatch(/^\*+…$/m)
    expect(shows("://".repeat(1_000))).toMatch(/^[:/]+…$/m)
  })
})
