/** Share links that are made at the same time: there are never more that work than there may be. */
import { createShareLink, listShareLinks, ShareLinkId, ShareLinkStore } from "@sov/core"
import { newId, seedOrganization } from "@sov/core/testing"
import { Effect, Result } from "effect"
import { createHash } from "node:crypto"
import { afterAll, expect, it } from "vitest"
import { serverHomeOrAll } from "../../support/homes.ts"
import { openStorage } from "../../support/storage.ts"

const most = 100

it.each(serverHomeOrAll)(
  "simultaneous requests near the limit get exactly the remaining links on the %s home",
  (home) => {
    const { close, run } = openStorage(home)
    afterAll(close)
    return run(Effect.gen(function*() {
      const { id } = yield* seedOrganization()
      expect(yield* Effect.flip(createShareLink(id, { name: "a\0b" }))).toMatchObject({ field: "name" })
      const { link } = yield* createShareLink(id, { name: "first" })
      const store = yield* ShareLinkStore
      for (let n = 1; n < most - 2; n++) {
        const made = { ...link, id: yield* newId(ShareLinkId) }
        yield* store.insert(id, made, createHash("sha256").update(made.id).digest())
      }
      const asked = yield* Effect.forEach(
        Array.from({ length: 8 }, (_, n) => `at once ${n}`),
        (name) => Effect.result(createShareLink(id, { name })),
        { concurrency: "unbounded" }
      )
      const refused = asked.filter(Result.isFailure).map(({ failure }) => failure)
      expect(refused).toMatchObject(Array.from({ length: 6 }, () => ({ _tag: "Rejected", field: "name" })))
      expect(yield* listShareLinks(id)).toHaveLength(most)
    }))
  }
)
