/**
 * `@sov/core/sov`: a home of sov as one layer, for programs in Effect. It provides every store, migrated, and what use
 * cases need beside them; platforms are a layer of their own, because a program that only reads has none. Mail server,
 * public address and clock are references (`Mailer`, `PublicUrl`, `Clock`), replaced by `Effect.provideService` or
 * `Layer`.
 */
import { Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { hostname } from "node:os"
import { resolve } from "node:path"
import { layerWebhookSender } from "../adapters/outbound/index.ts"
import {
  type EmbeddedError,
  type Home,
  layerEncryptionKeys,
  layerMigrated,
  layerPlacement,
  type SchemaNewer,
  type SchemaOlder,
  type UnsupportedServer
} from "../adapters/postgres/index.ts"
import { type AnswerPlatform, AnswerPlatforms } from "../ports/AnswerPlatform.ts"
import type { EncryptionKeys } from "../ports/EncryptionKeys.ts"
import type { Placement } from "../ports/Placement.ts"
import type { StoragePorts } from "../ports/StoragePorts.ts"
import type { StoreError } from "../ports/StoreError.ts"
import { ThisProcess } from "../ports/ThisProcess.ts"
import type { WebhookSender } from "../ports/WebhookSender.ts"
import { Rejected } from "../usecases/errors.ts"
import { checkOneEffect } from "./oneEffect.ts"

export { TwoCopiesOfEffect } from "./oneEffect.ts"

/** What a home provides: with `AnswerPlatforms`, all that use cases ask for. */
export type Services =
  | StoragePorts
  | Placement
  | EncryptionKeys
  | WebhookSender
  | SecureRandom.SecureRandom

/** Why a home cannot be used. */
export type HomeError = EmbeddedError | UnsupportedServer | SchemaNewer | SchemaOlder | StoreError

/** How a home is wired; `Error` is what the layers given here fail with. */
export interface HomeOptions<Error = never> {
  /**
   * Keys that stored webhook secrets are encrypted with: `ID:BASE64,…`, each of 32 bytes. Left out: a data directory
   * makes one in a file of its own, a server refuses what needs a key.
   */
  readonly encryptionKeys?: Redacted.Redacted | undefined
  /** What posts webhooks. Left out: to public https addresses only. */
  readonly webhookSender?: Layer.Layer<WebhookSender, Error> | undefined
  /** False: a server that holds data is not migrated, and fails with SchemaOlder where something is pending. */
  readonly migrate?: boolean | undefined
}

const layerProcess = Layer.sync(ThisProcess, () => {
  const manifest = readFileSync(new URL("../../package.json", import.meta.url), "utf8")
  const { version } = JSON.parse(manifest) as { readonly version: string }
  return { host: hostname(), pid: process.pid, version }
})

/** Opens a home, creating or migrating its database first. */
export const layer = <Error = never>(
  home: Home,
  { encryptionKeys, migrate, webhookSender }: HomeOptions<Error> = {}
): Layer.Layer<Services, HomeError | Error> =>
  Layer.mergeAll(
    layerPlacement(home).pipe(Layer.provideMerge(layerMigrated(home, migrate))),
    layerEncryptionKeys(encryptionKeys ?? null, "dataDir" in home ? home.dataDir : null),
    webhookSender ?? layerWebhookSender({ allow: [], http: false }),
    SecureRandom.layerWebCrypto,
    layerProcess
  ).pipe(Layer.provide(Layer.effectDiscard(checkOneEffect)))

/**
 * The embedded database of a data directory, which is made when absent. A process of its own has the database open,
 * started when it is first needed; any number of processes of this machine may use the directory at the same time.
 */
export const layerEmbedded = <Error = never>(
  { dataDir, ...options }: HomeOptions<Error> & { readonly dataDir: string }
): Layer.Layer<Services, HomeError | Error> => layer({ dataDir: resolve(dataDir) }, options)

/** A database of a Postgres server, 15 or newer: `postgres://user:password@host/database`. */
export const layerPostgres = <Error = never>(
  url: string | Redacted.Redacted,
  options?: HomeOptions<Error>
): Layer.Layer<Services, HomeError | Error> =>
  layer({ url: typeof url === "string" ? Redacted.make(url) : url }, options)

/** Says of two workers of one database whether they ask the same platforms. */
const digestPlatforms = (platforms: ReadonlyArray<AnswerPlatform>): string =>
  createHash("sha256").update(JSON.stringify(
    platforms
      .map(({ adapter, baseUrl, id, model, simulated }) => [id, adapter, model, baseUrl ?? null, simulated])
      .toSorted(([a], [b]) => String(a) < String(b) ? -1 : 1)
  )).digest("hex")

/**
 * These platforms, each under its own id. The platforms of a `sov.config.json` are `layerPlatforms` of
 * `@sov/core/outbound`. All workers of one database must have the same: adapter, model and address of each are
 * compared. Throws Rejected on two platforms of one id.
 */
export const layerPlatforms = (platforms: ReadonlyArray<AnswerPlatform>): Layer.Layer<AnswerPlatforms> =>
  Layer.succeed(AnswerPlatforms, choosePlatforms(platforms))

/** `layerPlatforms` as the service itself. */
export const choosePlatforms = (platforms: ReadonlyArray<AnswerPlatform>): AnswerPlatforms["Service"] => {
  const all = new Map(platforms.map((platform) => [platform.id, platform]))
  if (all.size < platforms.length) {
    throw new Rejected({ field: "platforms", message: "two platforms have the same id" })
  }
  return { all, digest: digestPlatforms(platforms) }
}
