/** The untracked names that actions are tested for. */
import { type BrandId, type CompetitorId, listWrittenNames } from "@sov/core"
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
