/**
 * `@sov/core/sov`: a home of sov as one layer, for programs in Effect. It provides every store, migrated, and the other
 * services that use cases need, except platforms: they are a separate layer, because a program that only reads needs
 * none. Mail server, public address and clock are references (`Mailer`, `PublicUrl`, `Clock`), which
 * `Effect.provideService` or `Layer` can replace.
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

/** The services of a home: together with `AnswerPlatforms`, everything that use cases need. */
export type Services =
  | StoragePorts
  | Placement
  | EncryptionKeys
  | WebhookSender
  | SecureRandom.SecureRandom

/** Why a home cannot be opened. */
export type HomeError = EmbeddedError | UnsupportedServer | SchemaNewer | SchemaOlder | StoreError

/** The options of a home; `Error` is the error type of the layers that are passed here. */
export interface HomeOptions<Error = never> {
  /**
   * Keys that encrypt stored webhook secrets: `ID:BASE64,…`, 32 bytes each. Left out: a data directory creates a key in
   * its own file; with a server, operations that need a key fail.
   */
  readonly encryptionKeys?: Redacted.Redacted | undefined
  /** Posts webhooks. Left out: webhooks are posted only to public https addresses. */
  readonly webhookSender?: Layer.Layer<WebhookSender, Error> | undefined
  /**
   * If false, a server that contains data is not migrated, and opening fails with SchemaOlder if a migration is
   * pending.
   */
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
 * The embedded database of a data directory, which is created if absent. A separate process, which is started when
 * first needed, has the database open; any number of processes on this machine may use the directory at the same time.
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

/** A digest that shows whether two workers of one database ask the same platforms. */
const digestPlatforms = (platforms: ReadonlyArray<AnswerPlatform>): string =>
  createHash("sha256").update(JSON.stringify(
    platforms
      .map(({ adapter, baseUrl, id, model, simulated }) => [id, adapter, model, baseUrl ?? null, simulated])
      .toSorted(([a], [b]) => String(a) < String(b) ? -1 : 1)
  )).digest("hex")

/**
 * Provides these platforms, each under its own id. For the platforms of a `sov.config.json`, use `layerPlatforms` of
 * `@sov/core/outbound`. All workers of one database must have the same platforms: adapter, model and address of each
 * are compared. Throws Rejected if two platforms have the same id.
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
