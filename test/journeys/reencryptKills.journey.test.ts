// Only with SOV_LONG_TESTS: it kills the command at ten points; reencryptSecrets.integration.test.ts stops it after each endpoint
/** sov db reencrypt, killed at ten points: every secret opens with one of the keys, and none is lost. */
import { addEndpoint, decrypt, parseEncryptionKeys, readKeyId } from "@sov/core"
import { layerServer, stores } from "@sov/core/postgres"
import { seedOrganization } from "@sov/core/testing"
import { Effect, Layer, Redacted, Result } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { randomBytes } from "node:crypto"
import { expect, it } from "vitest"
import { postgresUrl } from "../support/homes.ts"
import { sovJson, startSov, workspace } from "../support/sov.ts"
import { freshDatabase } from "../support/storage.ts"
import { deliveryServices, testKey } from "../support/webhooks.ts"

const keyOf = (id: string) => `${id}:${randomBytes(32).toString("base64")}`
const [older, newer] = [`k1:${testKey.bytes.toString("base64")}`, keyOf("k2")]
const keysOf = (text: string) => Result.getOrThrow(parseEncryptionKeys(text))
const kills = 10
const perOrganization = 100

interface Stored {
  readonly organization_id: string
  readonly id: string
  readonly secret: string
}

it.runIf(postgresUrl !== null)(
  "every secret can be decrypted after each kill, and at the end with the new key alone",
  () =>
    Effect.runPromise(Effect.scoped(Effect.gen(function*() {
      const { url } = yield* freshDatabase
      const services = yield* Layer.build(
        Layer.mergeAll(stores, deliveryServices).pipe(
          Layer.provideMerge(layerServer({ url: Redacted.make(url) })),
          Layer.provideMerge(SecureRandom.layerWebCrypto)
        )
      )
      const work = Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const secrets = new Map<string, string>()
        for (let n = 0; n < 10; n++) {
          const { id } = yield* seedOrganization()
          for (let i = 0; i < perOrganization; i++) {
            const { endpoint, secret } = yield* addEndpoint(id, `https://hooks.example/${i}`, ["scan.completed"])
            secrets.set(endpoint.id, secret)
          }
        }
        const rows = sql<Stored>`select organization_id, id, secret from webhook_endpoint`
        const open = (keys: string) =>
          Effect.map(rows, (found) =>
            new Map(found.map(({ id, organization_id, secret }) => [
              id,
              Result.getOrThrow(decrypt(keysOf(keys), `webhook_endpoint|secret|${id}|${organization_id}`, secret))
            ])))
        const countNew = Effect.map(rows, (found) => found.filter(({ secret }) => readKeyId(secret) === "k2").length)
        const cwd = workspace()
        const env = { SOV_DATABASE_URL: url, SOV_ENCRYPTION_KEYS: `${newer},${older}` }
        const reached: Array<number> = []
        for (let n = 0; n < kills; n++) {
          const due = (reached.at(-1) ?? 0) + 1 + Math.floor(Math.random() * 60)
          const running = startSov(cwd, ["db", "reencrypt"], { env })
          while ((yield* countNew) < due && running.child.exitCode === null) yield* Effect.sleep("1 millis")
          running.child.kill("SIGKILL")
          const { signal } = yield* Effect.promise(() => running)
          expect(signal).toBe("SIGKILL")
          reached.push(yield* countNew)
          expect(yield* open(`${older},${newer}`)).toEqual(secrets)
        }
        console.log(`killed with ${reached.join(", ")} of ${secrets.size} secrets under the new key`)
        expect(reached.at(-1)).toBeLessThan(secrets.size)
        const last = yield* Effect.promise(() => sovJson<{ readonly changed: number }>(cwd, ["db", "reencrypt"], env))
        expect(last).toMatchObject({ key: "k2", changed: secrets.size - reached.at(-1)!, unreadable: [] })
        expect(yield* open(newer)).toEqual(secrets)
      })
      yield* Effect.provide(work, services)
    }))),
  300_000
)
