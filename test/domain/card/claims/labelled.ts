/** The labelled sentences, and the card that they are held against. */
import { type CardChange, type CardField, checkedFacts, compileTerms } from "@sov/core"
import { parseCardField } from "@sov/core/business-card"
import { Result } from "effect"
import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"

/** The verdict of a reader, or of the person who labelled. */
export type Label = "A" | "C" | "O" | "N"

export interface Labelled {
  readonly language: string
  readonly fact: string
  readonly label: Label
  readonly lure: string
  readonly sentence: string
  /** Rules were made on the dev half alone; the fresh sentences are by somebody else, and came after the rules. */
  readonly half: "dev" | "held-out" | "fresh"
}

const halfOf = (sentence: string): Labelled["half"] =>
  createHash("sha256").update(sentence).digest()[0]! % 2 === 0 ? "dev" : "held-out"

const readSentences = (file: string, half: (sentence: string) => Labelled["half"]): ReadonlyArray<Labelled> =>
  readFileSync(new URL(file, import.meta.url), "utf8")
    .split("\n").filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => {
      const [language = "", fact = "", label = "", lure = "", ...rest] = line.split("|")
      const sentence = rest.join("|")
      return { language, fact, label: label as Label, lure, sentence, half: half(sentence) }
    })

export const sets: ReadonlyArray<ReadonlyArray<Labelled>> = [
  readSentences("./labelled.txt", halfOf),
  readSentences("./fresh.txt", () => "fresh")
]
export const labelled: ReadonlyArray<Labelled> = sets.flat()

const at = new Date("2026-11-03T12:00:00.000Z")
const card: ReadonlyArray<readonly [CardField, ReadonlyArray<string>]> = [
  ["founding_date", ["2014-05-02"]],
  ["employees", ["250"]],
  ["locality", ["Bremen"]],
  ["country", ["DE"]],
  ["telephone", ["+49 421 5550110"]],
  ["founders", ["Jana Westphal", "Ole Brandt"]],
  ["leaders", ["Jana Westphal; job_title=CEO", "Mara Lenz; job_title=CFO"]],
  ["certifications", ["ISO 9001; issuer=TÜV"]],
  ["facts", [
    "Price; type=price; value=549 EUR; about=Brumella One; as_of=2026-11-03",
    "Warranty; type=number; value=3 years; words=warranty, Garantie, garantía, garanzia, garantia, 保証",
    "Noise; type=number; value=52 dB; about=Brumella One; words=dB, noise, decibel*, dezibel, sonore, decibelios, ruido",
    "Repair; type=yes_no; value=yes; words=repair, repairs, repariert, répare, repara, ripara, repareert",
    "EcoVadis; type=choice; value=Gold; options=Bronze|bronce|bronzo, Silver|Silber|argent|plata, Gold|or|oro|ouro|goud",
    "Article; type=identifier; value=BR-1042; about=Brumella One; words=article number, Artikelnummer, référence, referencia"
  ]]
]
const before: ReadonlyArray<readonly [CardField, ReadonlyArray<string>]> = [
  ["founding_date", ["2012"]],
  ["employees", ["180"]],
  ["locality", ["Oldenburg"]],
  ["leaders", ["Peter Harms; job_title=CEO"]],
  ["facts", ["Price; type=price; value=499 EUR; about=Brumella One", "Warranty; type=number; value=2 years"]]
]

const read = (field: CardField, texts: ReadonlyArray<string>) => Result.getOrThrow(parseCardField(field, texts)).value

const changes = before.map(([field, texts], n): CardChange => ({
  field,
  value: read(field, card.find(([name]) => name === field)![1]),
  previous: read(field, texts),
  source: "handbook",
  updatedAt: at,
  changedAt: at,
  sequence: n + 1
}))

/** The names of the facts by their short name in the file. */
export const factNames: { readonly [short: string]: string } = {
  founded: "founding_date",
  employees: "employees",
  seat: "locality",
  country: "country",
  ceo: "leaders",
  founder: "founders",
  price: "facts: Price",
  warranty: "facts: Warranty",
  noise: "facts: Noise",
  repair: "facts: Repair",
  iso: "certifications: ISO 9001",
  rating: "facts: EcoVadis",
  article: "facts: Article"
}

export const facts = checkedFacts(
  new Map(card.map(([field, texts]) => [field, { value: read(field, texts), source: "handbook", updatedAt: at }])),
  changes
)
export const compiled = compileTerms(
  { name: "Brumella", aliases: [], domains: ["brumella.example"] },
  ["Moccaroni", "Kaffwerk"].map((name) => ({ name, aliases: [], domains: [] }))
)
