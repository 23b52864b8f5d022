/**
 * Front door of the storage, `@sov/core/postgres`: one schema, two homes. A server is reached by its URL; a data
 * directory holds the embedded database.
 */
import type { PgClient } from "@effect/sql-pg"
import { Layer, type Redacted } from "effect"
import type { SqlClient } from "effect/sql"
import type { Placement } from "../../ports/Placement.ts"
import type { StoreError } from "../../ports/StoreError.ts"
import * as Embedded from "../embedded/index.ts"
import { layerServer, type ServerUnfit } from "./layerServer.ts"
import { layerLockPlacement } from "./LockPlacement.ts"
import { migrate } from "./migrate.ts"
import { PgAlertStore } from "./PgAlertStore.ts"
import { PgApiKeyStore } from "./PgApiKeyStore.ts"
import { PgArchiveStore } from "./PgArchiveStore.ts"
import { PgBacklogStore } from "./PgBacklogStore.ts"
import { PgBusinessCardStore } from "./PgBusinessCardStore.ts"
import { PgCellStore } from "./PgCellStore.ts"
import { PgDeliveryStore } from "./PgDeliveryStore.ts"
import { PgEndpointStore } from "./PgEndpointStore.ts"
import { PgEventOutbox } from "./PgEventOutbox.ts"
import { PgHealthStore } from "./PgHealthStore.ts"
import { PgIdempotencyStore } from "./PgIdempotencyStore.ts"
import { PgInstanceStore } from "./PgInstanceStore.ts"
import { PgKeywordStore } from "./PgKeywordStore.ts"
import { PgMailStore } from "./PgMailStore.ts"
import { PgMeasurementStore } from "./PgMeasurementStore.ts"
import { PgNotifications } from "./PgNotifications.ts"
import { PgOrganizationStore } from "./PgOrganizationStore.ts"
import { PgPlacement } from "./PgPlacement.ts"
import { PgQuotaLedger } from "./PgQuotaLedger.ts"
import { PgRateLimiter } from "./PgRateLimiter.ts"
import { PgScanStore } from "./PgScanStore.ts"
import { PgScheduleStore } from "./PgScheduleStore.ts"
import { PgScoreStore } from "./PgScoreStore.ts"
import { PgSealStore } from "./PgSealStore.ts"
import { PgServerRegistry } from "./PgServerRegistry.ts"
import { PgTrackedSetStore } from "./PgTrackedSetStore.ts"
import { PgTrafficStore } from "./PgTrafficStore.ts"
import { PgTransaction } from "./PgTransaction.ts"
import { PgUsageStore } from "./PgUsageStore.ts"
import { PgWorkerRegistry } from "./PgWorkerRegistry.ts"
import { guardedLayer } from "./sqlErrors.ts"

export {
  EmbeddedError,
  foreignNames,
  layer as layerEmbedded,
  layerInProcess,
  lookAtOwner,
  type OwnerLook,
  settingsFaults,
  tryKernelLock
} from "../embedded/index.ts"
export { type BackupSummary, BackupUnfit } from "./backup/backupFormat.ts"
export { checkBackup, DatabaseNotEmpty, restoreBackup } from "./backup/restoreBackup.ts"
export { type BackupPiece, takeBackup } from "./backup/takeBackup.ts"
export { databaseFacts } from "./databaseFacts.ts"
export { layerEncryptionKeys } from "./encryptionKeys.ts"
export { layerServer, type ServerOptions, ServerUnfit } from "./layerServer.ts"
export { layerLockPlacement, layerPlacementAlone } from "./LockPlacement.ts"
export { migrate, type Migration, migrationStatus, SchemaNewer } from "./migrate.ts"

/** Where the data lives: on a server, or in a data directory. */
export type Home = { readonly url: Redacted.Redacted } | { readonly dataDir: string }

/** Every port of the storage, given a connection to a migrated database. */
export const stores = Layer.mergeAll(
  PgAlertStore,
  PgApiKeyStore,
  PgArchiveStore,
  PgBacklogStore,
  PgBusinessCardStore,
  PgCellStore,
  PgDeliveryStore,
  PgEndpointStore,
  PgEventOutbox,
  PgHealthStore,
  PgIdempotencyStore,
  PgInstanceStore,
  PgKeywordStore,
  PgMailStore,
  PgMeasurementStore,
  PgNotifications,
  PgOrganizationStore,
  PgQuotaLedger,
  PgRateLimiter,
  PgScanStore,
  PgScheduleStore,
  PgScoreStore,
  PgSealStore,
  PgServerRegistry,
  PgTrackedSetStore,
  PgTrafficStore,
  PgTransaction,
  PgUsageStore,
  PgWorkerRegistry
)

type Connection = PgClient.PgClient | SqlClient.SqlClient

/** A connection to the home, whichever it is. Fails at once when the home cannot be used. */
export const layerConnection = (
  home: Home
): Layer.Layer<Connection, Embedded.EmbeddedError | ServerUnfit | StoreError> =>
  "url" in home ? layerServer(home) : Embedded.layer({ dataDir: home.dataDir }).pipe(guardedLayer("open the database"))

/** `stores` on a database that is migrated first, given a connection: numbered, additive steps, run once. */
export const layerStores = stores.pipe(Layer.provideMerge(Layer.effectDiscard(migrate)))

/** All stores of the home, migrated and ready, and its connection. */
export const layerMigrated = (home: Home) => layerStores.pipe(Layer.provideMerge(layerConnection(home)))

/** Who does the standing work of the home, given its connection. Costs nothing until work is kept. */
export const layerPlacement = (home: Home): Layer.Layer<Placement, never, SqlClient.SqlClient> =>
  "url" in home ? PgPlacement : layerLockPlacement(home.dataDir)
