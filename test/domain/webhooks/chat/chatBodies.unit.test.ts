import { describeEvent, type EventNames, eventNames, type KeywordId, makeSampleEvent } from "@sov/core"
import { makeDiscordBody, makeSlackBody, makeTeamsBody, type OutboundEvent } from "@sov/core"
import { describe, expect, it } from "vitest"
import { readDiscord, readSlack, readTeams } from "../../../support/chatReaders.ts"

const names: EventNames = {
  organization: "Acme Inc.",
  organizationUrl: "https://sov.example/o/acme",
  brand: "Acme",
  keywords: new Map([["01900000-0000-7000-8000-000000000003" as KeywordId, "best anvil"]]),
  comparedWith: null,
  quote: null
}
const sampleOf = (name: typeof eventNames[number]) =>
  makeSampleEvent(name, "01900000-0000-7000-8000-00000000000a" as never, new Date("2026-03-01T08:00:00Z"))
const real = (name: typeof eventNames[number], data: object = {}) => {
  const sample = sampleOf(name)
  const { test: _, ...given } = sample.data as { readonly test?: true }
  return { ...sample, data: { ...given, ...data } } as OutboundEvent
}

describe("chat bodies", () => {
  it.each(
    [
      ["scan.completed", "Acme: share of voice 42 %", "/scans/01900000-0000-7000-8000-000000000001"],
      [
        "sov.dropped",
        "Acme: share of voice fell to 36.3 % (threshold 40 %)",
        "/alerts/01900000-0000-7000-8000-00000000000a"
      ],
      ["mention.detected", "Acme: newly named in 1 answer", "/alerts/01900000-0000-7000-8000-00000000000a"],
      ["competitor.overtake", "Example Rival is ahead of Acme", "/alerts/01900000-0000-7000-8000-00000000000a"],
      [
        "competitor.suggested",
        "New competitor of Acme: Example Newcomer",
        "/alerts/01900000-0000-7000-8000-00000000000a"
      ],
      [
        "platform.changed",
        "assistant_a: model changed from example-model-2.5 to example-model-3",
        "/scans/01900000-0000-7000-8000-000000000001"
      ],
      [
        "scan.failed",
        "Acme Inc.: a scan failed, 50 questions",
        "/scans/01900000-0000-7000-8000-000000000001"
      ],
      [
        "fact.contradicted",
        "Acme: answers contradict the business card on founding_date",
        "/alerts/01900000-0000-7000-8000-00000000000a"
      ],
      [
        "experiment.ended",
        "Acme Inc.: experiment Example guides has ended",
        "/experiments/01900000-0000-7000-8000-000000000006"
      ],
      ["archive.anchored", "Acme Inc.: archive anchored at seal 12", ""]
    ] as const
  )("the message about %s begins with the fact and links to its page", (name, title, path) => {
    expect(describeEvent(real(name), names)).toMatchObject({ title, url: `https://sov.example/o/acme${path}` })
    expect(describeEvent(real(name), { ...names, organizationUrl: null }).url).toBeNull()
  })

  it("the title and the end of a message state that it is a test, or that answers are simulated", () => {
    for (const name of eventNames) {
      const { paragraphs, title, url } = describeEvent(sampleOf(name), names)
      expect(title).toMatch(/^\[TEST\] /)
      expect(paragraphs.at(-1)).toBe("This is a test: none of this has happened.")
      // Nothing has the ids of a sample
      expect(url).toBe("https://sov.example/o/acme")
    }
    expect(describeEvent(real("scan.completed", { simulated: true }), names)).toMatchObject({
      title: "[SIMULATED] Acme: share of voice 42 %",
      paragraphs: ["SIMULATED: these numbers come from simulated answers."]
    })
  })

  it("the text of a message is the same in every chat service", () => {
    for (const name of eventNames) {
      const message = describeEvent(real(name), { ...names, quote: "Take the anvil of Acme." })
      const [slack, discord, teams] = [
        readSlack(makeSlackBody(message)),
        readDiscord(makeDiscordBody(message)),
        readTeams(makeTeamsBody(message))
      ]
      const words = (texts: ReadonlyArray<string>) => texts.join(" ").replaceAll(/: /g, " ").replaceAll(/\s+/g, " ")
      expect(words(discord.texts)).toBe(words(slack.texts.slice(1)))
      // In Teams the name of a fact ends with its colon
      expect(words(teams.texts)).toBe(words(slack.texts.slice(1)))
      expect(slack.links).toEqual([message.url])
      expect([discord.links, teams.links]).toEqual([slack.links, slack.links])
      expect(words(slack.texts)).toContain("“Take the anvil of Acme.”")
    }
  })

  it("a message lists at most ten questions, and says how many more there are", () => {
    const [mention] = (sampleOf("mention.detected").data as { readonly mentions: ReadonlyArray<object> }).mentions
    const many = real("mention.detected", { mentions_total: 30, mentions: Array.from({ length: 30 }, () => mention) })
    const message = describeEvent(many, names)
    expect(message.facts).toHaveLength(10)
    expect(readSlack(makeSlackBody(message)).texts).toContain("And 20 more.")
    const [newcomer] = (sampleOf("competitor.suggested").data as { readonly names: ReadonlyArray<object> }).names
    const suggested = describeEvent(real("competitor.suggested", { names: Array(14).fill(newcomer) }), names)
    expect(suggested.title).toBe("New competitor of Acme: Example Newcomer and 13 more")
    expect(suggested.facts).toHaveLength(10)
    expect(suggested.paragraphs[0]).toBe("And 4 more.")
  })
})
