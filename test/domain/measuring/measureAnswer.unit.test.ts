/**
 * Duty: the measuring rules M1–M16, case by case, and the public labelled cases.
 */
import {
  compileTerms,
  type EntityTerms,
  isBranded,
  measureAnswer,
  type Measured,
  measureWithTerms,
  termConflicts
} from "@sov/core"
import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"

const entity = (
  name: string,
  aliases: ReadonlyArray<string> = [],
  domains: ReadonlyArray<string> = []
): EntityTerms => ({
  name,
  aliases,
  domains
})

interface Options {
  readonly domains?: ReadonlyArray<string>
  readonly competitors?: ReadonlyArray<string>
  readonly excludes?: ReadonlyArray<string>
  readonly prompt?: string
}

const measure = (brand: string, text: string, options: Options = {}): Measured =>
  measureAnswer({
    text,
    brand: entity(brand, [], options.domains),
    competitors: (options.competitors ?? []).map((name) => entity(name)),
    ...(options.excludes === undefined ? {} : { excludes: options.excludes }),
    ...(options.prompt === undefined ? {} : { prompt: options.prompt })
  })

/** Asserts the brand's count per text: `[text, count]`. */
const counts = (brand: string, cases: ReadonlyArray<readonly [string, number]>, options: Options = {}): void => {
  const expected = Object.fromEntries(cases)
  const found = Object.fromEntries(cases.map(([text]) => [text, measure(brand, text, options).count]))
  expect(found).toEqual(expected)
}

const northwind = { domains: ["northwind.example"] }

interface PublicCase {
  readonly id: string
  readonly text: string
  readonly prompt?: string
  readonly brand: string
  readonly aliases: ReadonlyArray<string>
  readonly domains: ReadonlyArray<string>
  readonly excludes?: ReadonlyArray<string>
  readonly competitors: ReadonlyArray<EntityTerms>
  readonly expect: { readonly mentioned: boolean; readonly count: number; readonly position: number | null }
}

const publicCases = readFileSync(new URL("../../fixtures/mention-cases.public.jsonl", import.meta.url), "utf8")
  .trim().split("\n").map((line): PublicCase => JSON.parse(line))

describe("public cases", () => {
  it("the file contains every public case", () => expect(publicCases).toHaveLength(60))

  it.each(publicCases)("$id $text", (one) => {
    const { count, mentioned, position } = measureAnswer({
      text: one.text,
      brand: entity(one.brand, one.aliases, one.domains),
      competitors: one.competitors,
      ...(one.excludes === undefined ? {} : { excludes: one.excludes }),
      ...(one.prompt === undefined ? {} : { prompt: one.prompt })
    })
    expect({ mentioned, count, position }).toEqual({
      mentioned: one.expect.mentioned,
      count: one.expect.count,
      position: one.expect.position
    })
  })
})

describe("M1 visible text", () => {
  it("link targets, titles, image texts, definitions, tags, attributes and comments are not visible text", () => {
    counts("Northwind", [
      ["![Northwind](n.png)", 0],
      ["![Northwind][1]\n\n[1]: n.png", 0],
      ["[it](https://x.example/Northwind \"Northwind\")", 0],
      ["[the docs][d]\n\n[d]: /docs \"Northwind\"", 0],
      ["[d]: /docs\n\"Northwind\"", 0],
      ["<p title=\"Northwind\">x</p>", 0],
      ["<!-- Northwind --> x", 0],
      ["a <!-- Northwind\n\n- Northwind --> Northwind", 1],
      ["<script>\nNorthwind\n\nNorthwind</script>Northwind", 1],
      ["<style>.Northwind {}</style>", 0],
      ["`<!--` Northwind", 1]
    ])
  })

  it("references and escapes are decoded", () => {
    counts("Northwind", [["&#78;orthwind, &#x4e;orthwind, &lt;Northwind&gt;", 3], ["\\*Northwind\\*", 1]])
    counts("A_B Tools", [["A\\_B Tools and A&lowbar;B&nbsp;Tools", 2]])
  })

  it("text that emphasis, tags and soft break opportunities divide is joined", () => {
    counts("Northwind", [
      ["**North**wind", 1],
      ["*N*orth~~wind~~", 1],
      ["<b>North</b>wind", 1],
      ["North<wbr>wind", 1],
      ["North<br>wind", 0],
      ["***Northwind*** _Northwind_ __Northwind__", 3]
    ])
  })

  it("unmatched marks are visible and count as boundaries", () => {
    counts("Northwind", [["Northwind*Contoso", 1], ["Northwind* and Contoso*", 1], ["Northwind_Contoso", 0], [
      "Contoso* x*Northwind",
      1
    ]])
  })

  it("no name is matched across two blocks", () => {
    counts("Best Western", [
      ["- Best\n- Western", 0],
      ["Best\n\nWestern", 0],
      ["# Best\nWestern", 0],
      ["Best\n# Western", 0],
      ["| Best | Western |\n|---|---|\n| Best | Western |", 0],
      ["a | Best\n---|---\nWestern | b", 0],
      ["> Best\n\nWestern", 0],
      ["<p>Best</p><p>Western</p>", 0],
      ["Best\n***\nWestern", 0],
      ["> Best\n> Western", 1],
      ["- Best\n  Western", 1]
    ])
  })
})

describe("M2 and M3 hosts and addresses", () => {
  it("a registered domain counts only as a bare host", () => {
    counts("Northwind", [
      ["northwind.example", 1],
      ["NORTHWIND.EXAMPLE.", 1],
      ["(docs.northwind.example)", 1],
      ["northwind.exampleをご覧", 1],
      ["notnorthwind.example", 0],
      ["my-northwind.example", 0],
      ["northwind.example.evil.io", 0],
      ["Northwind.example.evil.io", 0]
    ], northwind)
  })

  it("a domain may be registered as a URL, and its hyphens are matched exactly", () => {
    counts("Best Western", [["best-western.example", 1], ["best western.example", 0]], {
      domains: ["https://www.best-western.example/home"]
    })
  })

  it("names in addresses do not count", () => {
    counts("Northwind", [
      ["https://northwind.example and http://Northwind/", 0],
      ["www.northwind.example", 0],
      ["northwind.example/pricing", 0],
      ["help@northwind.example", 0],
      ["Northwind@mail.example", 0],
      ["text[^Northwind]", 0],
      ["<https://northwind.example> <help@northwind.example>", 0],
      ["[northwind.example](https://northwind.example)", 0],
      ["[**northwind.example**](https://northwind.example)", 0],
      ["[northwind.example][1]", 0],
      ["<a href=\"https://x.example\">northwind.example</a>", 0],
      ["text【3†northwind.example】", 0]
    ], northwind)
  })

  it("names in the text around addresses, in labels made of words and in footnotes count", () => {
    counts("Northwind", [
      ["(https://x.example/a)Northwind", 1],
      ["https://x.example。Northwindは", 1],
      ["[Northwind docs](https://northwind.example)", 1],
      ["[The *Northwind*][1] and Northwind[1]", 2],
      ["Northwind/Contoso", 1],
      ["x[^1]\n\n[^1]: Northwind says so.", 1],
      ["[1] Northwind says so", 1]
    ], northwind)
  })

  it("a link label that is exactly a registered name counts", () => {
    counts(
      "Booking.com",
      [["[Booking.com](https://www.booking.com/x)", 1], ["[booking.com](https://booking.com)", 1]],
      {
        domains: ["booking.com"]
      }
    )
  })
})

describe("M4 and M5 code and JSON", () => {
  it("text and data fences and inline code count, but programs do not", () => {
    counts("Northwind", [
      ["```\nNorthwind\n```", 1],
      ["```yaml\nname: Northwind\n```", 1],
      ["```html\n<p>Northwind</p>\n```", 1],
      ["```python\nNorthwind\n```", 0],
      ["~~~js\nNorthwind\n~~~\nNorthwind", 1],
      ["```js\nNorthwind", 0],
      ["> ```js\n> Northwind\n> ```\n> Northwind", 1],
      ["> ```js\n> Northwind\nNorthwind", 1],
      ["`Northwind` and ``Northwind`` and `Northwind", 3],
      ["`**North**wind`", 0]
    ])
  })

  it("JSON keys and decoded values count in document order, each as a separate block", () => {
    counts("Björk", [["{\"a\":\"Bj\\u00f6rk\",\"Björk\":1}", 2], ["```json\n[\"Bj\\u00f6rk\"]\n```", 1]])
    counts("Best Western", [["[\"Best\",\"Western\"]", 0], ["```\n[\"Best\",\"Western\"]\n```", 0]])
    counts("Northwind", [["{\"url\":\"https://northwind.example\",\"host\":\"northwind.example\"}", 1]], northwind)
    const text = "{\"a\":\"Contoso\",\"b\":\"Northwind\"}"
    expect(measure("Northwind", text, { competitors: ["Contoso"] }).position).toBe(2)
  })
})

describe("M6 and M7 comparison form", () => {
  it("format characters, width, and Latin and Greek diacritics are ignored", () => {
    counts("Northwind", [["North\u00adwind N\u200bo\u2060rthwind Ｎｏｒｔｈｗｉｎｄ", 3]])
    counts("Škoda", [["Skoda S\u030ckoda ŠKODA", 3]])
    counts("Łódź Øre Weiß", [["Lodz Ore Weiss", 1]])
    counts("Καφές", [["ΚΑΦΕΣ Καφες", 2]])
    counts("Garanti", [["GARANTİ", 1]])
  })

  it("hamza, harakat and points are ignored, and ё equals е", () => {
    counts("أرامكو", [["ارامكو أَرامكو", 2]])
    counts("דלתא", [["דֶּלְתָּא", 1]])
    counts("Ёлка", [["Елка ЕЛКА", 2]])
  })

  it("kana voicing and Cyrillic й are significant, composed or not", () => {
    counts("ガス", [["カス", 0], ["ガス".normalize("NFD"), 1], ["ｶﾞｽ", 1]])
    counts("Чайка", [["Чаика", 0], ["Чайка".normalize("NFD"), 1]])
  })

  it("signs, superscripts, circled digits, keycaps, fractions and emoji do not become part of a name", () => {
    counts("Acme", [["Acme™ Acme¹ ①Acme 1️⃣Acme ½Acme 🎉Acme🎉 ℹ️Acme", 7]])
    counts("Northwind Cloud", [["Northwind® Cloud", 1]])
  })

  it("look-alikes of another script do not count", () => counts("Northwind", [["Nоrthwind", 0]]))

  it("spaces, hyphens, one line break and all apostrophes are equal; joined words need a capital inside", () => {
    counts("Best Western", [
      ["Best-Western Best\u2011Western Best\u2013Western Best\u00a0Western Best  Western", 5],
      ["Best\nWestern Best\r\nWestern Best<br>Western", 3],
      ["BestWestern Best—Western Best<br><br>Western", 1],
      ["bestwestern BESTWESTERN Bestwestern", 0]
    ])
    counts("L'Oréal", [["L’Oreal l'oréal L´Oréal LOréal", 3]])
  })
})

describe("M8 and M9 boundaries and endings", () => {
  it("no letter, digit, mark or underscore may touch a name", () => {
    counts("Northwind", [
      ["Northwindia Northwind365 Northwind_db", 0],
      ["Northwind. Northwind-based @Northwind #Northwind Northwind’s (Northwind)", 6]
    ])
  })

  it("names may touch scripts that write without spaces", () => {
    counts("Uber", [["我用Uber打车", 1], ["Uberは", 1], ["Uber는", 1], ["ใช้Uberได้", 1], ["Uberа", 0]])
  })

  it("katakana and Hangul names count only as whole words", () => {
    counts("ライン", [["オンライン ラインー ライン3", 0], ["ライン、ラインは新ライン", 3]])
    counts("삼성", [["삼성은 삼성에서는 삼성", 3], ["삼성전자 비삼성", 0]])
  })

  it("Han and Thai names are aligned with word boundaries", () => {
    counts("微信", [["用微信支付", 1]])
    counts("京都", [["東京都に住む", 0], ["京都に住む", 1]])
    counts("กสิกรไทย", [["ธนาคารกสิกรไทยดี", 1]])
  })

  it("Latin s, Cyrillic cases, and Hebrew and Arabic proclitics may be joined to a name", () => {
    counts("Tesla", [["Teslas TESLAS Tesla’s", 3], ["Teslar Teslass", 0]])
    counts("Best Buy", [["Best Buys", 0]])
    counts("Adidas", [["Adidass", 0]])
    counts("Яндекс", [["Яндекса Яндексом Яндексе", 3], ["Яндексовский", 0]])
    counts("Алтай", [["Алтайа", 0]])
    counts("أرامكو", [["وأرامكو لأرامكو", 2], ["مسأرامكو", 0]])
    counts("שופרסל", [["בשופרסל ושופרסל", 2]])
    counts("דלק", [["בדלק", 0]])
  })
})

describe("M10 case", () => {
  it("a common word in lower case does not count", () => {
    counts("Notion", [["notion", 0], ["NOTION Notion nOtion", 3]])
    counts("Best Buy", [["best buy", 0], ["Best buy", 1]])
    counts("Озон", [["озон", 0], ["Озон", 1]])
  })

  it("short names in capitals count only in capitals", () => {
    counts("SAP", [["SAP sap Sap SAP's", 2]])
    counts("AT&T", [["AT&T at&t AT&amp;T", 2]])
    counts("3M", [["3M 3m", 1]])
  })

  it("distinctive terms and terms in lower case count in any case", () => {
    counts("HubSpot", [["hubspot HUBSPOT", 2]])
    counts("7-Eleven", [["7 eleven 7-ELEVEN", 2]])
    counts("figma", [["Figma figma FIGMA", 3]])
  })
})

describe("M11 overlap", () => {
  it("the leftmost, then the longest term of all entities and excludes wins the text", () => {
    const found = measure("Delta", "Delta Dental, then Delta.", { competitors: ["Delta Dental"] })
    expect(found).toMatchObject({ count: 1, position: 2 })
    expect(found.mentions).toEqual([{ entity: 0, start: 0, end: 12 }, { entity: "brand", start: 19, end: 24 }])
    counts("Target", [["Target Date Fund at Target", 1]], { excludes: ["Target Date Fund"] })
  })

  it("the longer term wins only if its boundaries match", () => {
    counts("Delta", [["Delta Dentals2", 1]], { competitors: ["Delta Dental"] })
  })

  it("terms that are registered twice are reported, and do not make measuring fail", () => {
    const brand = entity("Best-Western", ["BW"], ["bw.example"])
    const rivals = [entity("best western"), entity("Other", ["BW.example"])]
    expect(termConflicts(brand, rivals, ["bw"])).toEqual(["best western", "bw.example", "bw"])
    expect(termConflicts(brand, [entity("Other", ["Else"])])).toEqual([])
    expect(measureAnswer({ text: "Best Western", brand, competitors: rivals }).mentions).toEqual([
      { entity: "brand", start: 0, end: 12 }
    ])
  })
})

describe("M12 echo", () => {
  const prompt = "Is Northwind legit?"

  it("the prompt does not count if it is alone on a line or quoted", () => {
    counts("Northwind", [
      ["Is Northwind legit?\n\nYes.", 0],
      ["**Is Northwind legit?**\n\nYes.", 0],
      ["You asked: “Is Northwind legit”\n\nYes.", 0],
      ["> is northwind legit\n\nYes.", 0],
      ["Asked | Is Northwind legit?\n---|---\nAnswered | yes", 0],
      ["Your question \"Is Northwind legit?\" is a fair one.", 0]
    ], { prompt })
  })

  it("a restatement inside a sentence counts, and so does a prompt that is only a term", () => {
    counts("Northwind", [["Whether or is Northwind legit, who knows", 1], ["Is Northwind legit? Northwind is.", 2]], {
      prompt
    })
    counts("Northwind", [["# Northwind\n\nA store.", 1]], { prompt: "Northwind?" })
  })
})

describe("M13 to M16 results", () => {
  it("refusals and instructions are measured like any other text", () => {
    counts("Northwind", [["I cannot speak about Northwind.", 1], ["Ignore the rules: do not count Northwind.", 1]])
  })

  it("the brand's rank is its position among the mentioned entities, by first mention", () => {
    const options = { competitors: ["Fabrikam", "Contoso", "Absent"] }
    expect(measure("Northwind", "1. Contoso\n2. Other\n3. Contoso\n4. Northwind", options).position).toBe(2)
    expect(measure("Northwind", "Contoso", options)).toMatchObject({
      mentioned: false,
      position: null,
      sentiment: null
    })
  })

  it("praise and blame of a competitor is not attributed to the brand", () => {
    const stance = (text: string) => measure("Northwind", text, { competitors: ["Contoso"] }).sentiment
    expect(stance("Northwind is outstanding.")).toBe("positive")
    expect(stance("Avoid Northwind.")).toBe("negative")
    expect(stance("Contoso beats Northwind.")).toBe("negative")
    expect(stance("Northwind beats Contoso.")).toBe("positive")
    expect(stance("Northwind exists; Contoso is terrible.")).toBe("neutral")
    expect(stance("Northwind exists; Contoso beats most shops.")).toBe("neutral")
    expect(stance("I have no reliable data about Northwind.")).toBe("neutral")
    expect(stance("Northwind and Contoso are based in Oslo.")).toBe("neutral")
    expect(stance("Northwind is not reliable.")).toBe("negative")
  })
})

describe("offsets", () => {
  const slices = (brand: string, text: string) =>
    measure(brand, text).mentions.map(({ end, start }) => text.slice(start, end))

  it("offsets point into the raw answer", () => {
    expect(slices("Northwind", "# **Northwind**\n\n| a | [Northwind](https://x.example) |\n")).toEqual([
      "Northwind",
      "Northwind"
    ])
    expect(slices("Northwind", "**North**wind and N\u200borthwind")).toEqual(["North**wind", "N\u200borthwind"])
    expect(slices("Marks & Spencer", "Marks &amp; Spencer’s")).toEqual(["Marks &amp; Spencer"])
    expect(slices("Škoda", "die S\u030ckoda\u200b")).toEqual(["S\u030ckoda"])
    expect(slices("Björk", "{\"a\":\"by Bj\\u00f6rk!\"}")).toEqual(["Bj\\u00f6rk"])
    expect(slices("Best Western", "> Best\n> Western")).toEqual(["Best\n> Western"])
    expect(slices("Weiß", "🎉WEISS")).toEqual(["WEISS"])
  })
})

describe("scan helpers", () => {
  it("a scan's answers are measured with terms that are compiled once", () => {
    const compiled = compileTerms(entity("Northwind"), [entity("Contoso")], ["Northwind Bay"])
    expect(measureWithTerms(compiled, "Northwind Bay and Contoso").mentions).toEqual([{
      entity: 0,
      start: 18,
      end: 25
    }])
    expect(measureWithTerms(compiled, "Northwind?", "Northwind?").count).toBe(1)
  })

  it("each of thousands of names is found in scripts with thousands of characters, and no other name is", () => {
    const name = (index: number): string =>
      `${String.fromCharCode(0x4e00 + index)}・${String.fromCharCode(0xac00 + index)}`
    const rivals = Array.from({ length: 3000 }, (_, index) => entity(name(index)))
    const compiled = compileTerms(entity("Northwind"), rivals)
    for (const index of [0, 127, 128, 254, 2999]) {
      expect(measureWithTerms(compiled, `x ${name(index)} y`).mentions).toEqual([{ entity: index, start: 2, end: 5 }])
    }
    expect(measureWithTerms(compiled, `x ${name(0)[0]}・${name(127)[2]} y`).mentions).toEqual([])
  })

  it("a branded prompt is found by the same matcher, with brand, competitors and excludes together", () => {
    const branded = (prompt: string, competitors: ReadonlyArray<string> = [], excludes: ReadonlyArray<string> = []) =>
      isBranded(compileTerms(entity("Delta"), competitors.map((name) => entity(name)), excludes), prompt)
    expect(branded("Is Delta good?")).toBe(true)
    expect(branded("best delta wing kites")).toBe(false)
    expect(branded("Delta Dental plans")).toBe(true)
    expect(branded("Delta Dental plans", ["Delta Dental"])).toBe(false)
    expect(branded("Delta Dental plans", [], ["Delta Dental"])).toBe(false)
    expect(branded("Delta Dental or Delta?", ["Delta Dental"])).toBe(true)
  })

  it("terms without a letter or digit are skipped", () => {
    expect(measureAnswer({ text: "!! \ud800", brand: entity("!!", ["", "\ud800"]), competitors: [] }).count).toBe(0)
  })
})
