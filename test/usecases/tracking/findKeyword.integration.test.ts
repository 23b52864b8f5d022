/** A keyword is named by its id or its text, and paused, resumed or archived by its id. */
import { findKeyword, initialize, KeywordId, readKeywords, setKeywordStatus } from "@sov/core"
import { Effect } from "effect"
import { afterAll, describe, expect, it } from "vitest"
import { serverHomeOrAll } from "../../support/homes.ts"
import { openStorage } from "../../support/storage.ts"

describe.each(serverHomeOrAll)("on the %s home", (home) => {
  const { close, run } = openStorage(home)
  afterAll(close)

  const organization = (name: string) =>
    Effect.map(
      initialize({
        name,
        plan: "free",
        tracking: { brand: { name: "Acme" }, keywords: [{ text: "best anvil?" }, { text: "best hammer?" }] }
      }),
      ({ organization: { id } }) => id
    )

  it("a keyword is found by id and by text, regardless of spacing and status, within its organization", () =>
    run(Effect.gen(function*() {
      const [id, other] = [yield* organization("One"), yield* organization("Two")]
      const [anvil, hammer] = yield* readKeywords(id)
      expect(yield* setKeywordStatus(id, hammer!.id, "archived")).toEqual({ ...hammer, status: "archived" })

      expect(yield* findKeyword(id, anvil!.id)).toEqual(anvil)
      expect(yield* findKeyword(id, " best   anvil? ")).toEqual(anvil)
      expect((yield* findKeyword(id, "best hammer?")).status).toBe("archived")
      for (const unknown of ["best", anvil!.id, KeywordId.make("01980000-0000-7000-8000-000000000000")]) {
        expect(yield* Effect.flip(findKeyword(other, unknown))).toMatchObject({ _tag: "NotFound", id: unknown })
      }
      expect(yield* Effect.flip(setKeywordStatus(other, anvil!.id, "paused"))).toMatchObject({ _tag: "NotFound" })
    })))

  it("keywords are read with the given statuses, or all keywords if no status is given", () =>
    run(Effect.gen(function*() {
      const id = yield* organization("Three")
      const [anvil, hammer] = yield* readKeywords(id)
      yield* setKeywordStatus(id, hammer!.id, "archived")
      expect((yield* readKeywords(id)).map(({ text }) => text)).toEqual(["best anvil?", "best hammer?"])
      expect(yield* readKeywords(id, ["active", "paused"])).toEqual([anvil])
    })))
})
