/**
 * Duty: what must hold for every answer: totality, offsets that lead back, and the metamorphic properties of measuring.
 */
import {
  compileTerms,
  type EntityTerms,
  explainWithTerms,
  measureAnswer,
  type Measured,
  measureWithTerms,
  toComparisonForm
} from "@sov/core"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { propertyRuns } from "../../support/propertyRuns.ts"

const entity = (name: string, aliases: ReadonlyArray<string> = []): EntityTerms => ({ name, aliases, domains: [] })
const brand = entity("Nordvik", ["Fjäll Räven"])
const rivals = [entity("Contoso"), entity("Best Western"), entity("滴滴"), entity("ライン")]
const registered = new Set([brand, ...rivals].flatMap(({ aliases, name }) => [name, ...aliases]).map(toComparisonForm))

const runs = { numRuns: propertyRuns(1000) }

const measure = (text: string, competitors: ReadonlyArray<EntityTerms> = rivals): Measured =>
  measureAnswer({ text, brand, competitors })
const summary = ({ count, mentioned, position }: Measured) => ({ count, mentioned, position })

const names = fc.constantFrom("Nordvik", "Fjäll Räven", "Contoso", "Best Western", "滴滴", "ライン")
const fillers = fc.constantFrom(
  "is",
  "a good",
  "store",
  "and",
  "the best;",
  "costs $5,",
  "of 2024",
  "best westerns",
  "—",
  "(or)"
)
/** Prose with names in it and no markup of its own. */
const prose = fc.array(fc.oneof(names, fillers), { maxLength: 12 }).map((parts) => parts.join(" "))
/** Anything at all, with a taste for the marks the scanner knows. */
const hostile = fc.array(
  fc.oneof(
    names,
    fc.string({ unit: "binary", maxLength: 4 }),
    fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)),
    fc.constantFrom(
      ..."*_~`[]()<>!&;\\|#->\n\"'{}:/@. ".split(""),
      "\n\n",
      "```",
      "](",
      "![",
      "<!--",
      "-->",
      "<a ",
      "</",
      "&amp;"
    )
  ),
  { maxLength: 60 }
).map((parts) => parts.join(""))

/** Every format character (Cf) of the basic plane, and a variation selector. */
const formats = fc.constantFrom(
  ...Array.from({ length: 0xffff }, (_, point) => String.fromCharCode(point)).filter((char) => /^\p{Cf}$/u.test(char)),
  "\ufe0f"
)

describe("every answer", () => {
  it("every answer is measured without an error, and all offsets are in order and inside the text", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const { count, mentioned, mentions, position } = measure(text)
        expect(mentioned).toBe(count > 0)
        expect(position === null).toBe(!mentioned)
        expect(mentions.filter((mention) => mention.entity === "brand")).toHaveLength(count)
        let last = 0
        for (const { end, start } of mentions) {
          expect(start).toBeGreaterThanOrEqual(last)
          expect(end).toBeGreaterThan(start)
          expect(end).toBeLessThanOrEqual(text.length)
          last = end
        }
      }),
      runs
    )
  })

  it("an answer is measured the same, regardless of the answers measured before", () => {
    fc.assert(
      fc.property(hostile, hostile, (text, other) => {
        const before = measure(text)
        measure(other)
        expect(measure(text)).toEqual(before)
      }),
      runs
    )
  })

  it("an answer is measured the same each time, even with lone surrogates around it", () => {
    fc.assert(
      fc.property(prose, fc.integer({ min: 0xd800, max: 0xdfff }), (text, unit) => {
        const lone = String.fromCharCode(unit)
        expect(measure(text)).toEqual(measure(text))
        expect(summary(measure(`${lone} ${text} ${lone}`))).toEqual(summary(measure(text)))
      }),
      runs
    )
  })

  it("every measured part of a text has the comparison form of a registered term", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(prose, fc.constantFrom(" ", "\n", "\n\n- ", " **x** ", "\n| ", "\n# "))),
        (parts) => {
          const text = parts.flat().join("")
          for (const { end, start } of measure(text).mentions) {
            expect(registered).toContain(toComparisonForm(text.slice(start, end)))
          }
        }
      ),
      runs
    )
  })
})

describe("wrapping, spelling and joining", () => {
  const wraps: ReadonlyArray<(name: string) => string> = [
    (name) => `**${name}**`,
    (name) => `*${name}*`,
    (name) => `"${name}"`,
    (name) => `“${name}”`,
    (name) => `[${name}](https://x.example/a)`,
    (name) => `\n\n- ${name}\n\n`,
    (name) => `\n\n| a | ${name} |\n\n`,
    (name) => `\n\n> ${name}\n\n`,
    (name) => `\n\n## ${name}\n\n`,
    (name) => `\`${name}\``,
    (name) => `<b>${name}</b>`
  ]

  it("a name in marks, quotes, a link, a list item or a table cell counts like plain text", () => {
    fc.assert(
      fc.property(prose, names, prose, fc.constantFrom(...wraps), (before, name, after, wrap) => {
        const plain = measure(`${before} ${name} ${after}`)
        expect(summary(measure(`${before} ${wrap(name)} ${after}`))).toEqual(summary(plain))
      }),
      runs
    )
  })

  it("a format character inside a name changes no count", () => {
    fc.assert(
      fc.property(prose, names, formats, fc.nat(), (before, name, format, seed) => {
        const at = 1 + seed % (name.length - 1)
        const text = `${before} ${name.slice(0, at)}${format}${name.slice(at)}`
        expect(summary(measure(text))).toEqual(summary(measure(`${before} ${name}`)))
      }),
      runs
    )
  })

  it("a text counts the same in any normalization form", () => {
    fc.assert(
      fc.property(prose, fc.constantFrom("NFC", "NFD", "NFKC", "NFKD"), (text, form) => {
        expect(summary(measure(text.normalize(form)))).toEqual(summary(measure(text)))
      }),
      runs
    )
  })

  it("the counts of texts separated by a blank line add up", () => {
    fc.assert(
      fc.property(prose, prose, (a, b) => {
        expect(measure(`${a}\n\n${b}`).count).toBe(measure(a).count + measure(b).count)
      }),
      runs
    )
  })

  it("renaming all entities in the same way changes no result", () => {
    fc.assert(
      fc.property(prose, (text) => {
        const renamed = measureAnswer({
          text: text.replaceAll("Nordvik", "Tailvik").replaceAll("Contoso", "Wingosa"),
          brand: entity("Tailvik", brand.aliases),
          competitors: [entity("Wingosa"), ...rivals.slice(1)]
        })
        // The filler "best westerns" is lower case and counts for nobody under either name.
        expect(summary(renamed)).toEqual(summary(measure(text)))
      }),
      runs
    )
  })
})

describe("the entity set", () => {
  it("the order of the entities changes no count", () => {
    fc.assert(
      fc.property(hostile, fc.shuffledSubarray([0, 1, 2, 3], { minLength: 4 }), (text, order) => {
        const permuted = measure(text, order.map((index) => rivals[index]!))
        const back = permuted.mentions.map((mention) =>
          mention.entity === "brand" ? mention : { ...mention, entity: order[mention.entity]! }
        )
        expect({ ...permuted, mentions: back }).toEqual(measure(text))
      }),
      runs
    )
  })

  it("an additional competitor never gives the brand more mentions", () => {
    fc.assert(
      fc.property(
        prose,
        fc.constantFrom("Nordvik is", "Räven", "good", "Best", "Nordvik Contoso", "store and"),
        (text, name) => {
          expect(measure(text, [...rivals, entity(name)]).count).toBeLessThanOrEqual(measure(text).count)
        }
      ),
      runs
    )
  })

  it("an additional alias never loses a mention of the brand", () => {
    fc.assert(
      fc.property(prose, fc.constantFrom("North", "Contoso Inc", "Store", "Räven", "of 2024"), (text, alias) => {
        const wider = entity(brand.name, [...brand.aliases, alias])
        const more = measureAnswer({ text, brand: wider, competitors: rivals })
        if (measure(text).mentioned) expect(more.mentioned).toBe(true)
      }),
      runs
    )
  })
})

describe("text around", () => {
  const unrelated = fc.constantFrom(
    "The weather was fine that day.",
    "- one\n- two",
    "| a | b |\n|---|---|\n| c | d |",
    "> quoted 東京タワー",
    "[link](https://x.example/y)",
    "`code` and *stress*"
  )

  it("text that names no entity does not move earlier mentions", () => {
    fc.assert(
      fc.property(prose, unrelated, (text, more) => {
        expect(measure(`${text}\n\n${more}`).mentions).toEqual(measure(text).mentions)
        expect(summary(measure(`${more}\n\n${text}`))).toEqual(summary(measure(text)))
      }),
      runs
    )
  })

  it("the counts of complete Markdown blocks add up", () => {
    const block = fc.tuple(prose, fc.constantFrom("", "- ", "> ", "# ", "1. ", "| ", "**", "    "))
      .map(([text, mark]) => mark + text)
    fc.assert(
      fc.property(fc.array(block, { maxLength: 5 }), fc.array(block, { maxLength: 5 }), (a, b) => {
        const count = (parts: ReadonlyArray<string>): number => measure(parts.join("\n\n")).count
        expect(count([...a, ...b])).toBe(count(a) + count(b))
      }),
      runs
    )
  })

  it("writing the text in capitals does not change the counts of names that have their own case", () => {
    const own = entity("TailSpin", ["k-wind"])
    const parts = fc.array(fc.constantFrom("TailSpin", "tailspin", "k-wind", "K-Wind", "and", "(or)", "тест"))
    fc.assert(
      fc.property(parts, (words) => {
        const count = (text: string): number => measureAnswer({ text, brand: own, competitors: [] }).count
        const text = words.join(" ")
        expect(count(text.toUpperCase())).toBe(count(text))
        expect(count(text.toLowerCase())).toBe(count(text))
      }),
      runs
    )
  })
})

describe("the roles", () => {
  it("an entity is found in the same way whether it is the brand or a competitor", () => {
    fc.assert(
      fc.property(hostile, fc.nat({ max: rivals.length - 1 }), (text, index) => {
        const swapped = measureAnswer({
          text,
          brand: rivals[index]!,
          competitors: rivals.map((rival, at) => at === index ? brand : rival)
        })
        const back = swapped.mentions.map((mention) => ({
          ...mention,
          entity: mention.entity === "brand" ? index : mention.entity === index ? "brand" : mention.entity
        }))
        expect(back).toEqual(measure(text).mentions)
      }),
      runs
    )
  })

  it("an excluded term only removes mentions", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const excluded = measureAnswer({ text, brand, competitors: rivals, excludes: ["Nordvik is", "store and"] })
        const before = new Set(measure(text).mentions.map((mention) => JSON.stringify(mention)))
        for (const mention of excluded.mentions) expect(before).toContain(JSON.stringify(mention))
      }),
      runs
    )
  })
})

describe("an explanation", () => {
  const compiled = compileTerms(brand, rivals, ["Nordvik is"])

  it("an explanation contains the same measurement, and accepts exactly its mentions", () => {
    fc.assert(
      fc.property(hostile, fc.option(names, { nil: undefined }), (text, prompt) => {
        const { candidates, measured } = explainWithTerms(compiled, text, prompt)
        expect(measured).toEqual(measureWithTerms(compiled, text, prompt))
        const accepted = candidates.filter((found) => found.accepted)
        expect(accepted.map(({ end, entity, start }) => ({ entity, start, end }))).toEqual(measured.mentions)
      }),
      runs
    )
  })

  it("an explanation's positions are in the text, and in order", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        let last = 0
        for (const { end, start } of explainWithTerms(compiled, text).candidates) {
          expect(start).toBeGreaterThanOrEqual(last)
          expect(end).toBeGreaterThan(start)
          expect(end).toBeLessThanOrEqual(text.length)
          last = start
        }
      }),
      runs
    )
  })
})
