/** A new key for cursors of pages: those from before are good for a day, on every process, unless it leaked. */
import {
  BadCursor,
  decodeCursor,
  encodeCursor,
  InstanceStore,
  openCursor,
  readInstanceTag,
  rotateCursorKey
} from "@sov/core"
import { stores } from "@sov/core/postgres"
import { seedOrganization } from "@sov/core/testing"
import { Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { TestClock } from "effect/testing"
import { afterAll, describe, expect, it } from "vitest"
import { serverHomeOrAll } from "../../support/homes.ts"
import { openStorage } from "../../support/storage.ts"

const position = { createdAt: new Date(1_700_000_000_000), id: "01900000-0000-7000-8000-0000000000e1" }

describe.each(serverHomeOrAll)("on the %s home", (home) => {
  // The keys of the instance are its owner's to change
  const { close, run } = openStorage(home, "superuser")
  afterAll(close)

  it("after a rotation, old cursors stay valid for one day, or end at once if the rotation is immediate", () =>
    run(
      Effect.gen(function*() {
        const { id } = yield* seedOrganization()
        // Another process of this database, which has read the key before it is rotated
        const other = yield* Layer.build(Layer.fresh(stores)).pipe(Effect.map((services) => Effect.provide(services)))
        const sign = Effect.gen(function*() {
          return encodeCursor((yield* (yield* InstanceStore).cursorKeys)[0], id, ["keywords"], position)
        })
        const open = (cursor: string) => openCursor(cursor, (key, given) => decodeCursor(key, id, ["keywords"], given))
        const tag = yield* readInstanceTag()
        const first = yield* other(sign)

        yield* rotateCursorKey({ immediate: false })
        const second = yield* sign
        expect(second).not.toBe(first)
        for (const cursor of [first, second]) {
          expect(yield* open(cursor)).toEqual(position)
          expect(yield* other(open(cursor))).toEqual(position)
        }
        yield* TestClock.adjust("25 hours")
        for (const process of [open, (cursor: string) => other(open(cursor))]) {
          expect(yield* Effect.flip(process(first))).toBeInstanceOf(BadCursor)
          expect(yield* process(second)).toEqual(position)
        }
        yield* rotateCursorKey({ immediate: true })
        expect(yield* Effect.flip(open(second))).toBeInstanceOf(BadCursor)
        yield* TestClock.adjust("61 seconds")
        expect(yield* Effect.flip(other(open(second)))).toBeInstanceOf(BadCursor)
        expect(yield* other(open(yield* sign))).toEqual(position)
        expect(yield* other(readInstanceTag()), "cookies keep their names").toBe(tag)
      }).pipe(Effect.scoped, Effect.provide([TestClock.layer(), SecureRandom.layerWebCrypto]))
    ))
})
