/**
 * Secrets under a new encryption key: all of them, none lost wherever it is stopped, and never over what somebody
 * changed.
 */
import {
  addEndpoint,
  type AuditLog,
  decrypt,
  EncryptionKeys,
  type EndpointId,
  EndpointStore,
  type OperatorStore,
  type OrganizationId,
  readKeyId,
  reencryptSecrets,
  rotateSecret,
  type Transaction
} from "@sov/core"
import { seedOrganization } from "@sov/core/testing"
import { Effect, Exit, Result } from "effect"
import type { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { afterAll, describe, expect, it } from "vitest"
import { serverHomeOrAll } from "../../support/homes.ts"
import { layerPlatforms } from "../../support/scriptedPlatforms.ts"
import { openStorage } from "../../support/storage.ts"

const keyOf = (id: string, byte: number) => ({ id, bytes: new Uint8Array(32).fill(byte) })
const [oldKey, newKey, otherKey] = [keyOf("k1", 1), keyOf("k2", 2), keyOf("k3", 3)]
type Key = typeof oldKey

const withKeys = (first: Key, ...rest: ReadonlyArray<Key>) =>
  Effect.provideService(EncryptionKeys, { load: Effect.succeed([first, ...rest] as const) })

describe.each(serverHomeOrAll)("on the %s home", (home) => {
  const { close, run } = openStorage(home)
  afterAll(close)

  /** Two organizations with endpoints under the old key, some with a staged secret; what each secret is. */
  const seeded = Effect.gen(function*() {
    const secrets = new Map<
      EndpointId,
      { readonly organizationId: OrganizationId; current: string; next: string | null }
    >()
    for (const n of [5, 3]) {
      const { id: organizationId } = yield* seedOrganization()
      for (let i = 0; i < n; i++) {
        const { endpoint, secret } = yield* addEndpoint(organizationId, `https://hooks.example/${i}`, [
          "scan.completed"
        ])
        const next = i % 2 === 0 ? (yield* rotateSecret(organizationId, endpoint.id, false)).secret : null
        secrets.set(endpoint.id, { organizationId, current: secret, next })
      }
    }
    return secrets
  }).pipe(withKeys(oldKey))

  /** All secrets as these keys decrypt them, and the keys that encrypted them. */
  const opened = (all: Effect.Success<typeof seeded>, first: Key, ...rest: ReadonlyArray<Key>) =>
    Effect.gen(function*() {
      const [found, keys] = [new Map(all), new Set<string>()]
      for (const [id, { organizationId }] of all) {
        const stored = (yield* (yield* EndpointStore).secrets(organizationId, id))!
        for (const one of [stored.current, stored.next ?? stored.current]) keys.add(readKeyId(one))
        const open = (text: string) =>
          Result.getOrThrow(decrypt([first, ...rest], `webhook_endpoint|secret|${id}|${organizationId}`, text))
        const next = stored.next === null ? null : open(stored.next)
        found.set(id, { organizationId, current: open(stored.current), next })
      }
      return { found, keys: [...keys].toSorted() }
    })

  it("every secret is encrypted once with the new key, and a dry run changes nothing", () =>
    run(
      Effect.gen(function*() {
        const all = yield* seeded
        const dry = yield* reencryptSecrets({ dryRun: true }).pipe(withKeys(newKey, oldKey))
        expect(dry).toEqual({ key: "k2", changed: 8, unchanged: 0, unreadable: [] })
        expect(yield* opened(all, oldKey)).toEqual({ found: all, keys: ["k1"] })
        expect(yield* reencryptSecrets().pipe(withKeys(newKey, oldKey))).toMatchObject({ changed: 8, unreadable: [] })
        expect(yield* opened(all, newKey)).toEqual({ found: all, keys: ["k2"] })
        expect(yield* reencryptSecrets().pipe(withKeys(newKey))).toMatchObject({ changed: 0, unchanged: 8 })
        yield* clear
      }).pipe(Effect.provide(layerPlatforms()))
    ))

  it("an interruption after any endpoint leaves every secret readable, and the next run encrypts the rest", () =>
    run(
      Effect.gen(function*() {
        const all = yield* seeded
        for (let stop = 1; stop < all.size; stop += 2) {
          let done = 0
          const exit = yield* Effect.exit(
            reencryptSecrets({ onEndpoint: Effect.suspend(() => ++done === stop ? Effect.die("killed") : Effect.void) })
              .pipe(withKeys(newKey, oldKey))
          )
          expect(Exit.isFailure(exit)).toBe(true)
          const { found, keys } = yield* opened(all, newKey, oldKey)
          expect(found).toEqual(all)
          expect(keys).toEqual(["k1", "k2"])
        }
        const last = yield* reencryptSecrets().pipe(withKeys(newKey, oldKey))
        expect(last.changed).toBe(1)
        expect(yield* opened(all, newKey)).toEqual({ found: all, keys: ["k2"] })
        yield* clear
      }).pipe(Effect.provide(layerPlatforms()))
    ))

  it("a secret that was changed in between is not overwritten, and is encrypted as well", () =>
    run(
      Effect.gen(function*() {
        const all = yield* seeded
        const [id, { organizationId }] = [...all][0]!
        const services = yield* Effect.context<
          EndpointStore | AuditLog | OperatorStore | Transaction | SecureRandom.SecureRandom
        >()
        const store = yield* EndpointStore
        let fresh: string | undefined
        const racing: typeof store = {
          ...store,
          replaceEncrypted: (organization, endpoint, from, to) =>
            Effect.gen(function*() {
              if (endpoint === id && fresh === undefined) {
                fresh = (yield* rotateSecret(organizationId, id, true).pipe(withKeys(oldKey), Effect.orDie)).secret
              }
              return yield* store.replaceEncrypted(organization, endpoint, from, to)
            }).pipe(Effect.provide(services))
        }
        yield* reencryptSecrets().pipe(withKeys(newKey, oldKey), Effect.provideService(EndpointStore, racing))
        all.set(id, { organizationId, current: fresh!, next: null })
        expect(yield* opened(all, newKey)).toEqual({ found: all, keys: ["k2"] })
        yield* clear
      }).pipe(Effect.provide(layerPlatforms()))
    ))

  it("a secret that no key can decrypt is kept and reported, and the other secrets are encrypted", () =>
    run(
      Effect.gen(function*() {
        const all = yield* seeded
        const [id, { organizationId }] = [...all][2]!
        yield* rotateSecret(organizationId, id, true).pipe(withKeys(otherKey))
        const { changed, unreadable } = yield* reencryptSecrets().pipe(withKeys(newKey, oldKey))
        expect(changed).toBe(7)
        expect(unreadable).toMatchObject([{ organizationId, endpointId: id }])
        expect(unreadable[0]!.message).toContain("there is no key \"k3\"")
        const stored = yield* (yield* EndpointStore).secrets(organizationId, id)
        expect(readKeyId(stored!.current)).toBe("k3")
        yield* clear
      }).pipe(Effect.provide(layerPlatforms()))
    ))
})

/** Each case counts all endpoints of the database. */
const clear = SqlClient.SqlClient.use((sql) => sql`delete from webhook_endpoint`)
