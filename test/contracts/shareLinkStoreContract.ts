import { type ShareLink, ShareLinkId, ShareLinkStore } from "@sov/core"
import { at, newId, seedOrganization } from "@sov/core/testing"
import { Effect } from "effect"
import assert from "node:assert/strict"
import { storeContract } from "./storeContract.ts"

/** A link that is stored, and its hash: 32 bytes that begin with its own id. */
const seedLink = Effect.fnUntraced(function*(
  organizationId: Parameters<ShareLinkStore["Service"]["insert"]>[0],
  n = 0
) {
  const id = yield* newId(ShareLinkId)
  const link: ShareLink = {
    id,
    name: `link ${n}`,
    from: n === 0 ? null : at(-100),
    to: n === 0 ? null : at(-1),
    withAnswers: n > 0,
    createdAt: at(n),
    expiresAt: at(1000),
    revokedAt: null,
    lastUsedAt: null
  }
  const hash = new Uint8Array(32).fill(7)
  hash.set(Buffer.from(id.replaceAll("-", ""), "hex"))
  yield* (yield* ShareLinkStore).insert(organizationId, link, hash)
  return { link, hash }
})

/** What every ShareLinkStore must keep. */
export const shareLinkStoreContract = storeContract("ShareLinkStore", {
  "finds a link and its organization by hash only": Effect.fnUntraced(function*() {
    const store = yield* ShareLinkStore
    const organization = yield* seedOrganization({ scanQuota: 3, historyDays: 9, plan: "business" })
    for (const n of [0, 1]) {
      const { hash, link } = yield* seedLink(organization.id, n)
      assert.deepEqual(yield* store.findByHash(hash), { organization, link })
      assert.equal(yield* store.findByHash(hash.map((byte, n) => n === 31 ? byte ^ 1 : byte)), null)
    }
    assert.equal(yield* store.findByHash(new Uint8Array()), null)
  }),

  "lists the newest first, revoked ones too": Effect.fnUntraced(function*() {
    const store = yield* ShareLinkStore
    const { id } = yield* seedOrganization()
    const [old, young] = [yield* seedLink(id, 1), yield* seedLink(id, 2)]
    yield* store.revoke(id, old.link.id, at(5))
    assert.deepEqual(yield* store.list(id), [young.link, { ...old.link, revokedAt: at(5) }])
  }),

  "revokes permanently and keeps the first time": Effect.fnUntraced(function*() {
    const store = yield* ShareLinkStore
    const { id } = yield* seedOrganization()
    const { hash, link } = yield* seedLink(id)
    assert.deepEqual(yield* store.revoke(id, link.id, at(5)), { ...link, revokedAt: at(5) })
    assert.deepEqual(yield* store.revoke(id, link.id, at(6)), { ...link, revokedAt: at(5) })
    assert.deepEqual((yield* store.findByHash(hash))?.link.revokedAt, at(5))
    assert.equal(yield* store.revoke(id, yield* newId(ShareLinkId), at(6)), null)
  }),

  "notes the last use, once a minute, and nothing of other links": Effect.fnUntraced(function*() {
    const store = yield* ShareLinkStore
    const { id } = yield* seedOrganization()
    const [{ link: other }, { link }] = [yield* seedLink(id, 1), yield* seedLink(id, 2)]
    for (const seconds of [100, 130, 161]) yield* store.recordUse(id, link.id, at(seconds))
    assert.deepEqual(yield* store.list(id), [{ ...link, lastUsedAt: at(161) }, other])
    yield* store.recordUse(id, link.id, at(200))
    assert.deepEqual((yield* store.list(id))[0]?.lastUsedAt, at(161))
  })
})
