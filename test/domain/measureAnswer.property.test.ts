/**
 * Duty: what must hold for every answer: totality, offsets that lead back, and the metamorphic properties of measuring.
 */
import { comparisonForm, type EntityTerms, measureAnswer, type Measured } from "@sov/core"
import fc from "fast-check"
import { describe, expect, it } from "vitest"

const entity = (name: string, aliases: ReadonlyArray<string> = []): EntityTerms => ({ name, aliases, domains: [] })
const brand = entity("Northwind", ["Fjäll Räven"])
const rivals = [entity("Contoso"), entity("Best Western"), entity("滴滴"), entity("ライン")]
const registered = new Set([brand, ...rivals].flatMap(({ aliases, name }) => [name, ...aliases]).map(comparisonForm))

const measure = (text: string, competitors: ReadonlyArray<EntityTerms> = rivals): Measured =>
  measureAnswer({ text, brand, competitors })
const summary = ({ count, mentioned, position }: Measured) => ({ count, mentioned, position })

const names = fc.constantFrom("Northwind", "Fjäll Räven", "Contoso", "Best Western", "滴滴", "ライン")
const fillers = fc.constantFrom(
  "is",
  "a good",
  "store",
  "and",
  "the best;",
  "costs $5,",
  "of 2024",
  "northwinds",
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

const formats = fc.constantFrom("\u200b", "\u00ad", "\u200d", "\u200e", "\u2060", "\ufeff", "\ufe0f")

describe("every answer", () => {
  it("is measured without throwing, with ordered offsets inside of the text", () => {
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
      { numRuns: 1000 }
    )
  })

  it("is measured the same twice, and with lone surrogates around", () => {
    fc.assert(
      fc.property(prose, fc.integer({ min: 0xd800, max: 0xdfff }), (text, unit) => {
        const lone = String.fromCharCode(unit)
        expect(measure(text)).toEqual(measure(text))
        expect(summary(measure(`${lone} ${text} ${lone}`))).toEqual(summary(measure(text)))
      })
    )
  })

  it("yields slices that fold back to a registered term", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(prose, fc.constantFrom(" ", "\n", "\n\n- ", " **x** ", "\n| ", "\n# "))),
        (parts) => {
          const text = parts.flat().join("")
          for (const { end, start } of measure(text).mentions) {
            expect(registered).toContain(comparisonForm(text.slice(start, end)))
          }
        }
      )
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

  it("in marks, quotes, a link, a list item or a cell keeps the counts", () => {
    fc.assert(
      fc.property(prose, names, prose, fc.constantFrom(...wraps), (before, name, after, wrap) => {
        const plain = measure(`${before} ${name} ${after}`)
        expect(summary(measure(`${before} ${wrap(name)} ${after}`))).toEqual(summary(plain))
      })
    )
  })

  it("with any format character inside of a name keeps the counts", () => {
    fc.assert(
      fc.property(prose, names, formats, fc.nat(), (before, name, format, seed) => {
        const at = 1 + seed % (name.length - 1)
        const text = `${before} ${name.slice(0, at)}${format}${name.slice(at)}`
        expect(summary(measure(text))).toEqual(summary(measure(`${before} ${name}`)))
      })
    )
  })

  it("in any normalization form is the same", () => {
    fc.assert(
      fc.property(prose, fc.constantFrom("NFC", "NFD", "NFKC", "NFKD"), (text, form) => {
        expect(summary(measure(text.normalize(form)))).toEqual(summary(measure(text)))
      })
    )
  })

  it("adds up over texts divided by a blank line", () => {
    fc.assert(
      fc.property(prose, prose, (a, b) => {
        expect(measure(`${a}\n\n${b}`).count).toBe(measure(a).count + measure(b).count)
      })
    )
  })

  it("keeps results when all entities are renamed alike", () => {
    fc.assert(
      fc.property(prose, (text) => {
        const renamed = measureAnswer({
          text: text.replaceAll("Northwind", "Tailspin").replaceAll("Contoso", "Wingtip"),
          brand: entity("Tailspin", brand.aliases),
          competitors: [entity("Wingtip"), ...rivals.slice(1)]
        })
        // The filler "northwinds" is lower case and counts for nobody under either name.
        expect(summary(renamed)).toEqual(summary(measure(text)))
      })
    )
  })
})

describe("the entity set", () => {
  it("may be permuted", () => {
    fc.assert(
      fc.property(hostile, fc.shuffledSubarray([0, 1, 2, 3], { minLength: 4 }), (text, order) => {
        const permuted = measure(text, order.map((index) => rivals[index]!))
        const back = permuted.mentions.map((mention) =>
          mention.entity === "brand" ? mention : { ...mention, entity: order[mention.entity]! }
        )
        expect({ ...permuted, mentions: back }).toEqual(measure(text))
      })
    )
  })

  it("never gives the brand more by a further competitor", () => {
    fc.assert(
      fc.property(
        prose,
        fc.constantFrom("Northwind is", "Räven", "good", "Best", "Northwind Contoso", "store and"),
        (text, name) => {
          expect(measure(text, [...rivals, entity(name)]).count).toBeLessThanOrEqual(measure(text).count)
        }
      )
    )
  })

  it("never loses the brand by a further alias", () => {
    fc.assert(
      fc.property(prose, fc.constantFrom("North", "Contoso Inc", "Store", "Räven", "of 2024"), (text, alias) => {
        const wider = entity(brand.name, [...brand.aliases, alias])
        const more = measureAnswer({ text, brand: wider, competitors: rivals })
        if (measure(text).mentioned) expect(more.mentioned).toBe(true)
      })
    )
  })
})
