/** The card held against archived answers: what is read, of which scans, and in which order. */
import { checkCard, checkedCardJson, editBusinessCard, planRescore, rescore, setBrand, wholeHistory } from "@sov/core"
import { seedOrganization } from "@sov/core/testing"
import { Effect } from "effect"
import { afterAll, describe, expect, it } from "vitest"
import { typedFact } from "../../support/businessCards.ts"
import { scanWith, seed } from "../../support/completedScans.ts"
import { serverHomeOrAll } from "../../support/homes.ts"
import { openStorage } from "../../support/storage.ts"

const at = new Date("2026-01-01T00:00:00.000Z")
const entered = (field: "founding_date" | "employees", text: string) => ({
  field,
  value: typedFact(field, [text], at).value,
  source: "handbook",
  updatedAt: null
})

/** Two of the twelve answers of a scan contradict, two are out of date, two agree; the others do not name the brand. */
const says = (keyword: number): string =>
  keyword === 0
    ? "Acme Forge was founded in 1950."
    : keyword === 1
    ? "Acme Forge was founded in 1997."
    : keyword === 2
    ? "Acme Forge was founded in 1998."
    : "Globex was founded in 1950."

describe.each(serverHomeOrAll)("on the %s home", (home) => {
  const storage = openStorage(home)
  afterAll(storage.close)

  it("contradictions come first, and an earlier value of a fact is reported separately", () =>
    storage.run(Effect.gen(function*() {
      const id = yield* seed
      yield* editBusinessCard(id, [entered("founding_date", "1997"), entered("employees", "30")], { source: "x" })
      yield* editBusinessCard(id, [entered("founding_date", "1998-04")], { source: "x" })
      yield* scanWith(id, 0, says)
      const { answers_read, claims, facts } = checkedCardJson(yield* checkCard(id, wholeHistory, 1))
      expect(answers_read).toBe(6)
      expect(facts).toEqual([
        {
          fact: "founding_date",
          kind: "year",
          card_says: ["1998"],
          agrees: 2,
          contradicts: 2,
          out_of_date: 2,
          not_stated: 0,
          not_judged: 0,
          contradicted: true
        },
        {
          fact: "employees",
          kind: "number",
          card_says: ["30"],
          agrees: 0,
          contradicts: 0,
          out_of_date: 0,
          not_stated: 6,
          not_judged: 0,
          contradicted: false
        }
      ])
      expect(claims.map(({ stated, verdict }) => [verdict, stated])).toEqual([
        ["contradicts", "1950"],
        ["contradicts", "1950"],
        ["out_of_date", "1997"],
        ["out_of_date", "1997"],
        ["agrees", "1998"],
        ["agrees", "1998"]
      ])
      expect(claims[0]).toMatchObject({ quote: "Acme Forge was founded in 1950.", fact: "founding_date" })

      // A corrected card is held against the same answers
      yield* editBusinessCard(id, [entered("founding_date", "1950")], { source: "x" })
      const after = checkedCardJson(yield* checkCard(id, wholeHistory, 1))
      expect(after.facts[0]).toMatchObject({ agrees: 2, contradicts: 0, out_of_date: 4, contradicted: false })
    })))

  it("after a change of names, the answers that name the brand are chosen again once they are measured again", () =>
    storage.run(Effect.gen(function*() {
      const id = yield* seed
      yield* editBusinessCard(id, [entered("founding_date", "1998")], { source: "x" })
      const scan = yield* scanWith(
        id,
        0,
        (keyword) => keyword < 2 ? "Acme Forge was founded in 1950." : "Hooli was founded in 1998."
      )
      yield* setBrand(id, { name: "Hooli", aliases: [], domains: [], excludes: [] })
      const read = Effect.map(checkCard(id, wholeHistory, 1), checkedCardJson)
      expect(yield* read).toMatchObject({ answers_read: 4, claims: [] })
      yield* rescore(id, yield* planRescore(id, { scan: scan.id }), () => undefined)
      expect(yield* read).toMatchObject({ answers_read: 8, facts: [{ agrees: 8, contradicts: 0 }] })
    })))

  it("answers and cards of other organizations are not read, and a missing scan is an error", () =>
    storage.run(Effect.gen(function*() {
      const { id } = yield* seedOrganization()
      yield* editBusinessCard(id, [entered("founding_date", "1998")], { source: "x" })
      expect(yield* Effect.flip(checkCard(id, wholeHistory, 1))).toMatchObject({ _tag: "NoCompletedScan" })
      const other = yield* seed
      yield* scanWith(other, 0, says)
      expect((yield* checkCard(other, wholeHistory, 1)).facts).toEqual([])
      expect(yield* Effect.flip(checkCard(id, wholeHistory, 1))).toMatchObject({ _tag: "NoCompletedScan" })
    })))
})
