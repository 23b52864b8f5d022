/** The untracked names that actions are tested for. */
import { type BrandId, type CompetitorId, listWrittenNames, NearSpellings } from "@sov/core"
import { expect, it } from "vitest"

const suggested = (name: string, share: number): Parameters<typeof listWrittenNames>[3][number] => ({
  name,
  share,
  confidence: 1,
  products: [],
  answers: 40,
  cells: 40,
  keywords: 20,
  platforms: [],
  examples: []
})
const brand = { id: "b" as BrandId, name: "Acme", aliases: [], domains: [], excludes: [] }

it("spellings on offer take no place from brands, and of too many brands the leaders stay", () => {
  const competitors = Array.from({ length: 60 }, (_, n) => ({
    id: `c${n}` as CompetitorId,
    name: `L'Oreal${n}`,
    aliases: [],
    domains: []
  }))
  const brands = Array.from({ length: 60 }, (_, n) => suggested(`Zorvik ${n}`, 60 - n))
  const names = listWrittenNames({ brand, competitors }, [], [], brands)
  expect(names.filter(({ spells }) => spells !== null).length).toBeGreaterThanOrEqual(60)
  expect(names.filter(({ spells }) => spells === null).map(({ name }) => name))
    .toEqual(brands.slice(0, 50).map(({ name }) => name))
})

it("near spellings are limited, and ignored names are left out", () => {
  const near = Array.from({ length: 60 }, (_, n) => ({ name: `Acmi ${n}`, spells: "brand" as const }))
  const set = { brand: { ...brand, excludes: ["Acmi 0"] }, competitors: [] }
  const names = listWrittenNames(set, ["Zorvik"], near, [suggested("Zorvik", 50), suggested("Kelvon", 40)])
  expect(names.map(({ name }) => name)).toEqual(["Kelvon", ...near.slice(1, 50).map(({ name }) => name)])
})

const rival = (name: string, ...aliases: ReadonlyArray<string>) => ({
  id: name as CompetitorId,
  name,
  aliases,
  domains: []
})
const forge = { brand: { ...brand, name: "Acme Forge" }, competitors: [rival("Globex", "Globex Tools"), rival("Zorv")] }

/** The spellings found in a text, each with the tracked name that it may mean. */
const nearIn = (text: string, set: ConstructorParameters<typeof NearSpellings>[0] = forge) => {
  const near = new NearSpellings(set)
  near.read(text)
  return near.list().map(({ name, spells }) => `${name}: ${spells}`)
}

it.each([
  ["a changed letter", "Acme Forje is good.", "Acme Forje: brand"],
  ["a dropped letter", "Acme Frge is good.", "Acme Frge: brand"],
  ["an added letter", "Acme Forgee is good.", "Acme Forgee: brand"],
  ["two swapped letters", "Acme Fogre is good.", "Acme Fogre: brand"],
  ["a competitor's name", "Most take a Glbex.", "Glbex: Globex"],
  ["an alias", "Most take Globex Toolz.", "Globex Toolz: Globex"],
  ["a name in a list and markup", "1. **Acme Forje**, 2. Globex", "Acme Forje: brand"],
  ["a name that occurs twice", "Acme Forje. Acme Forje!", "Acme Forje: brand"]
])("%s is a near spelling", (_, text, found) => {
  expect(nearIn(text)).toEqual([found])
})

it.each([
  ["the name itself", "Acme Forge and ACME FORGE and Globex Tools"],
  ["two letters that differ", "Acme Fxrje"],
  ["another first letter", "Icme Forge, Flobex"],
  ["small letters, which are words", "acme forje, glbex"],
  ["a name too short to tell from other words", "Zory"],
  ["words that are apart", "Acme and Forje, Acme.\nForje"],
  ["a part of a longer word", "MyGlbexes"],
  ["nothing", ""]
])("%s is not a near spelling", (_, text) => {
  expect(nearIn(text)).toEqual([])
})

it("names that differ only by a number are different models, not spellings", () => {
  const set = { brand, competitors: [rival("Anvil X200")] }
  expect(nearIn("Anvil X300, Anvil X20, Anvil X2000", set)).toEqual([])
  expect(nearIn("Anvil Y200", set)).toEqual(["Anvil Y200: Anvil X200"])
})

it("a spelling between two tracked names is nobody's, and one between two names of the same is its own", () => {
  expect(nearIn("Globax", { brand, competitors: [rival("Globex"), rival("Globix")] })).toEqual([])
  expect(nearIn("Globax", { brand, competitors: [rival("Globex", "Globix")] })).toEqual(["Globax: Globex"])
})

it("a hostile answer takes bounded work: after 50,000 phrases nothing new is compared", () => {
  const near = new NearSpellings(forge)
  near.read(Array.from({ length: 50_000 }, (_, n) => `X${n}`).join(" "))
  near.read("Acme Forje")
  expect(near.list()).toEqual([])
})
