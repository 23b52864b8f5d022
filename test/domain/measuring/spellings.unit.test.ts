/**
 * Duty: names as people write them. 100 pairs of a tracked and a written form of which 95 count, 100 lures of which
 * none does; what may be another word counts where its capitals show the name, and is offered as an alias; two entities
 * never share a spelling.
 */
import { type EntityTerms, measureAnswer, offeredSpellings } from "@sov/core"
import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"

interface Written {
  readonly kind: string
  readonly tracked: string
  readonly domains?: ReadonlyArray<string>
  readonly text: string
}

const entity = (name: string, domains: ReadonlyArray<string> = []): EntityTerms => ({ name, aliases: [], domains })
const read = (file: string): ReadonlyArray<Written> =>
  readFileSync(new URL(`../../fixtures/${file}.jsonl`, import.meta.url), "utf8").trim().split("\n")
    .map((line) => JSON.parse(line))
const count = ({ domains, text, tracked }: Written): number =>
  measureAnswer({ text, brand: entity(tracked, domains), competitors: [] }).count

describe("spellings of names", () => {
  it("names count in at least 95 of 100 pairs", () => {
    const pairs = read("name-pairs")
    expect(pairs).toHaveLength(100)
    expect(pairs.filter((pair) => count(pair) === 1).length).toBeGreaterThanOrEqual(95)
  })

  it("names count in none of 100 misleading texts", () => {
    const lures = read("name-lures")
    expect(lures.length).toBeGreaterThanOrEqual(100)
    expect(lures.filter((lure) => count(lure) > 0)).toEqual([])
  })
})

describe("small differences between a name and its mention", () => {
  it.each([
    ["Toys \"R\" Us", "I shop at Toys “R” Us.", 1],
    ["Toys “R” Us", "I shop at Toys \"R\" Us.", 1],
    ["BMW", "Two BMWs and an old BMW, but no BMWS.", 2],
    ["P&G", "P & G owns it, and P&G sells it.", 2],
    ["P & G", "P&G sells it, not P and G.", 1],
    ["Yahoo!", "Yahoo Mail is old, Yahoo! is a portal.", 2],
    ["Πλαίσιο", "Το κατάστημα του Πλαισίου είναι μεγάλο.", 1],
    ["Γερμανός", "τα καταστήματα του Γερμανού", 1],
    ["Zara", "W Zarze jest taniej, a w Zarze też.", 2],
    ["Google", "V Googlu hledám, v Googlu taky.", 2],
    ["Gymshark", "Follow @gymshark or @Gymshark.", 2],
    ["Gymshark", "Write to me@gymshark, or install @gymshark/core.", 0]
  ])("the name %s counts in: %s", (tracked, text, expected) => {
    expect(count({ kind: "", tracked, text })).toBe(expected)
  })
})

describe("a name that is no common word", () => {
  const inLower = (text: string): number => count({ kind: "", tracked: "Eufy", text })

  it("a name that is no common word counts in lower case", () =>
    expect(inLower("eufy, (eufy) and eufy's: eufy.")).toBe(4))
  it("a name in lower case does not count in addresses, paths and identifiers", () => {
    expect(inLower("eufy.io shop.eufy.io src/eufy/a.ts me@eufy --eufy eufy() $eufy")).toBe(0)
  })
})

const counted = (tracked: string, text: string): number => count({ kind: "", tracked, text })

describe("common words that are joined", () => {
  it("joined common words are the name if they have a capital inside", () => {
    for (const name of ["Best Buy", "Home Depot", "Under Armour", "New Balance", "T-Mobile", "Coca-Cola"]) {
      expect([name, counted(name, `We like ${name.replace(/[ -]/, "")}.`)]).toEqual([name, 1])
    }
    expect(counted("7-Eleven", "7eleven, 7Eleven and 7-eleven")).toBe(3)
  })

  it("joined common words without a capital inside may be another word", () => {
    expect(counted("Haus Bau", "Hausbau, HAUSBAU und hausbau")).toBe(0)
    expect(counted("Work Day", "A workday. Workday! WORKDAY")).toBe(0)
  })
})

describe("common words without legal form, and split ones", () => {
  it.each([
    "Hub Spot",
    "Mail Chimp",
    "Quick Books",
    "Git Hub",
    "You Tube",
    "Pay Pal",
    "Jet Brains",
    "Door Dash",
    "One Plus"
  ])(
    "common words count after a lower-case word that often precedes names: %s",
    (name) => expect(counted(name.replace(" ", ""), `We work with ${name}. Nothing else.`)).toBe(1)
  )

  it("common words count elsewhere only if such a position shows the name", () => {
    expect(counted("Stripe, Inc.", "Stripe patterns. # Stripe")).toBe(0)
    expect(counted("Stripe, Inc.", "Stripe is a payment provider. Try Stripe today.")).toBe(2)
    expect(counted("Stripe, Inc.", "Use Stripe Patterns. With the Stripe. Best: Old Use Stripe.")).toBe(0)
    expect(counted("HubSpot", "Use Hub Spot for CRM.")).toBe(1)
    expect(counted("Stripe, Inc.", "Stripe is cheap. You pay with Stripe. (Stripe)")).toBe(3)
    expect(counted("Apple Inc.", "An Apple a day, and a laptop by Apple.")).toBe(1)
  })

  it("common words do not count after an article, before another capital, or where another word is meant", () => {
    expect(counted("DropBox", "We use the Drop Box. A list of Drop Box Locations.")).toBe(0)
    expect(counted("Visa Inc.", "A list of Visa Requirements")).toBe(0)
    expect(counted("Apple Inc.", "We live on pies of Apple pie")).toBe(0)
    expect(counted("Gold GmbH", "Ein Ring aus Gold von Gold in Gold")).toBe(0)
  })

  it("common words count in guillemets, in a script that has capitals", () => {
    expect(counted("ООО «Лента»", "В магазине «Лента» дешевле.")).toBe(1)
    expect(counted("ООО «Лента»", "Лента новостей, лента")).toBe(0)
  })
})

describe("well-known companies that lists of words have", () => {
  it("well-known companies count without their legal form wherever they have a capital", () => {
    expect(counted("Siemens AG", "Siemens baut Züge.")).toBe(1)
    expect(counted("Nestlé S.A.", "Nestle sells water where birds nestle.")).toBe(1)
    expect(counted("ООО «Яндекс»", "Яндекс и яндекс")).toBe(2)
    expect(counted("トヨタ自動車株式会社", "トヨタ自動車は大きい。")).toBe(1)
  })

  it("well-known companies count in lower case in languages that do not have the word", () => {
    expect(counted("Bose", "bose headphones are fine")).toBe(1)
    expect(counted("Miele", "die miele ist teuer")).toBe(1)
    expect(counted("Uber", "an uber is cheaper")).toBe(1)
    expect(counted("Miele", "il miele è dolce")).toBe(0)
    expect(counted("Bose", "das ist eine böse Sache")).toBe(0)
    expect(counted("Uber", "über uns und das Team")).toBe(0)
    expect(counted("Aldi", "bunu aldı ve gitti")).toBe(0)
  })
})

describe("spellings that may be another word", () => {
  const offered = (name: string, domains: ReadonlyArray<string> = []) =>
    offeredSpellings(entity(name, domains)).map(({ text }) => text)

  it("ambiguous spellings are offered as aliases", () => {
    expect(offered("Apple Inc.")).toEqual(["Apple"])
    expect(offered("GitLab")).toEqual(["Git Lab"])
    expect(offered("Work Day")).toEqual(["WorkDay"])
    expect(offered("McDonald's")).toEqual(["McDonalds"])
    expect(offered("Marks & Spencer")).toEqual(["Marks and Spencer"])
  })

  it("spellings that already count or are registered are not offered", () => {
    expect(offered("Apple Inc.", ["apple.com"])).toEqual([])
    expect(offered("Demand IQ")).toEqual([])
    expect(offeredSpellings({ ...entity("GitLab"), aliases: ["git lab"] })).toEqual([])
    expect(offered("Figma")).toEqual([])
  })
})

describe("a spelling of two entities", () => {
  const text = "Velora is cheap."
  const measure = (rival: string) =>
    measureAnswer({ text, brand: entity("Velora Inc"), competitors: [entity(rival)] }).mentions.map((one) => one.entity)

  it("a spelling of two entities counts for the entity that registered it", () =>
    expect(measure("Velora")).toEqual([0]))
  it("a spelling that both entities derive counts for neither", () => expect(measure("Velora GmbH")).toEqual([]))
  it("a spelling of one entity alone counts for it", () => expect(measure("Kestrin GmbH")).toEqual(["brand"]))
})
