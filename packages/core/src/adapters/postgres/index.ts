/**
 * Public interface of the storage, `@sov/core/postgres`: one schema, two homes. A URL leads to a server; a data
 * directory holds the embedded database.
 */
import { PgClient } from "@effect/sql-pg"
import { Effect, Layer } from "effect"
import type { SqlClient } from "effect/sql"
import type { Placement } from "../../ports/Placement.ts"
import type { StoreError } from "../../ports/StoreError.ts"
import * as Embedded from "../embedded/index.ts"
import { PgApiKeyStore } from "./access/PgApiKeyStore.ts"
import { PgOperatorStore } from "./access/PgOperatorStore.ts"
import { PgRateLimiter } from "./access/PgRateLimiter.ts"
import { PgAlertStore } from "./alerts/PgAlertStore.ts"
import { PgArchiveStore } from "./archive/PgArchiveStore.ts"
import { PgSealStore } from "./archive/PgSealStore.ts"
import { PgAuditLog } from "./audit/PgAuditLog.ts"
import { PgBusinessCardStore } from "./card/PgBusinessCardStore.ts"
import { PgExperimentEnds } from "./experiments/PgExperimentEnds.ts"
import { layerServer, type ServerOptions, type UnsupportedServer } from "./layerServer.ts"
import { PgDigestStore } from "./mail/PgDigestStore.ts"
import { PgMailStore } from "./mail/PgMailStore.ts"
import { PgMeasurementStore } from "./measuring/PgMeasurementStore.ts"
import { migrate, migrateEmpty } from "./migrate.ts"
import { PgOrganizationData } from "./organizations/PgOrganizationData.ts"
import { PgOrganizationStore } from "./organizations/PgOrganizationStore.ts"
import { PgQuotaLedger } from "./organizations/PgQuotaLedger.ts"
import { PgPersonStore } from "./people/PgPersonStore.ts"
import { PgSessionStore } from "./people/PgSessionStore.ts"
import { PgInstanceStore } from "./PgInstanceStore.ts"
import { PgTransaction } from "./PgTransaction.ts"
import { PgHealthStore } from "./platforms/PgHealthStore.ts"
import { PgUsageStore } from "./platforms/PgUsageStore.ts"
import { PgBrandingStore } from "./reports/PgBrandingStore.ts"
import { isScopedClient } from "./roles/scopedClient.ts"
import { scopeStores } from "./roles/scopeStores.ts"
import { PgBacklogStore } from "./scanning/PgBacklogStore.ts"
import { PgCellStore } from "./scanning/PgCellStore.ts"
import { PgIdempotencyStore } from "./scanning/PgIdempotencyStore.ts"
import { PgScanStore } from "./scanning/PgScanStore.ts"
import { PgScheduleStore } from "./schedules/PgScheduleStore.ts"
import { PgAnnotationStore } from "./scoring/PgAnnotationStore.ts"
import { PgScoreStore } from "./scoring/PgScoreStore.ts"
import { layerServerClock } from "./serverClock.ts"
import { PgShareLinkStore } from "./sharing/PgShareLinkStore.ts"
import { PgActionStore } from "./sources/PgActionStore.ts"
import { PgResolvedUrlStore } from "./sources/PgResolvedUrlStore.ts"
import { PgSourceStore } from "./sources/PgSourceStore.ts"
import { layerWithStoreErrors } from "./sqlErrors.ts"
import { PgKeywordStore } from "./tracking/PgKeywordStore.ts"
import { PgTrackedSetStore } from "./tracking/PgTrackedSetStore.ts"
import { PgTrafficStore } from "./traffic/PgTrafficStore.ts"
import { PgDeliveryStore } from "./webhooks/PgDeliveryStore.ts"
import { PgEndpointStore } from "./webhooks/PgEndpointStore.ts"
import { PgEventOutbox } from "./webhooks/PgEventOutbox.ts"
import { layerLockPlacement } from "./workers/LockPlacement.ts"
import { PgNotifications } from "./workers/PgNotifications.ts"
import { PgPlacement } from "./workers/PgPlacement.ts"
import { PgServerRegistry } from "./workers/PgServerRegistry.ts"
import { PgUpkeepStore } from "./workers/PgUpkeepStore.ts"
import { PgWorkerRegistry } from "./workers/PgWorkerRegistry.ts"

export {
  EmbeddedError,
  hasDatabase,
  inspectOwner,
  layer as layerEmbedded,
  layerInProcess,
  listSettingsFaults,
  listUnknownFiles,
  type OwnerDelay,
  type OwnerStatus,
  tryKernelLock
} from "../embedded/index.ts"
export { layerEncryptionKeys } from "./access/encryptionKeys.ts"
export { type BackupSummary, InvalidBackup } from "./backup/backupFormat.ts"
export { checkBackup, DatabaseNotEmpty, restoreBackup } from "./backup/restoreBackup.ts"
export { type BackupPiece, takeBackup } from "./backup/takeBackup.ts"
export { readDatabaseFacts } from "./databaseFacts.ts"
export { layerServer, type ServerOptions, UnsupportedServer } from "./layerServer.ts"
export { migrate, type Migration, readMigrationStatus, SchemaNewer, SchemaOlder } from "./migrate.ts"
export { migrateServer } from "./migrateServer.ts"
export { applyRoles, planRoles, RolesRefused } from "./roles/applyRoles.ts"
export { defaultRoleNames, isRoleName, type RoleNames } from "./roles/formatRoles.ts"
export { type OwnRole, readOwnRole } from "./roles/readRoleFacts.ts"
export { everyOrganization, RowScope } from "./roles/rowScope.ts"
export { methodsAcross } from "./roles/scopeStores.ts"
export { readSessionTls, type SessionTls } from "./sessionTls.ts"
export { layerLockPlacement, layerPlacementAlone } from "./workers/LockPlacement.ts"

/** Where the data is stored: on a server, or in a data directory. */
export type Home =
  | Pick<ServerOptions, "url" | "rowSecurity">
  | Pick<Embedded.EmbeddedOptions, "dataDir" | "onWait">

const unscopedStores = Layer.mergeAll(
  PgActionStore,
  PgAlertStore,
  PgAnnotationStore,
  PgApiKeyStore,
  PgArchiveStore,
  PgAuditLog,
  PgBacklogStore,
  PgBrandingStore,
  PgBusinessCardStore,
  PgCellStore,
  PgDeliveryStore,
  PgEndpointStore,
  PgEventOutbox,
  PgExperimentEnds,
  PgHealthStore,
  PgIdempotencyStore,
  PgInstanceStore,
  PgKeywordStore,
  PgDigestStore,
  PgMailStore,
  PgMeasurementStore,
  PgNotifications,
  PgOperatorStore,
  PgOrganizationData,
  PgOrganizationStore,
  PgPersonStore,
  PgQuotaLedger,
  PgRateLimiter,
  PgResolvedUrlStore,
  PgScanStore,
  PgScheduleStore,
  PgScoreStore,
  PgSealStore,
  PgServerRegistry,
  PgShareLinkStore,
  PgSessionStore,
  PgSourceStore,
  PgTrackedSetStore,
  PgTrafficStore,
  PgTransaction,
  PgUpkeepStore,
  PgUsageStore,
  PgWorkerRegistry
)

/** Every port of the storage, given a connection to a migrated database. */
export const stores = Layer.flatMap(unscopedStores, (built) =>
  Layer.effectContext(
    Effect.map(PgClient.PgClient, (client) => isScopedClient(client) ? scopeStores(built) : built)
  ))

type Connection = PgClient.PgClient | SqlClient.SqlClient

/** A connection to either home. Fails at once when the home cannot be used. */
export const layerConnection = (
  home: Home
): Layer.Layer<Connection, Embedded.EmbeddedError | UnsupportedServer | StoreError> =>
  "url" in home
    ? layerServer(home)
    : Embedded.layer(home).pipe(layerWithStoreErrors("open the database"))

/**
 * Migrates a database, given a connection, and provides `stores` on it. Migrations are numbered, only add, and run
 * once.
 */
export const layerStores = stores.pipe(Layer.provideMerge(Layer.effectDiscard(migrate)))

/**
 * All stores of the home, migrated and ready, and its connection; on a server also the server's clock. If `onServer` is
 * false, a server that contains data is not migrated: pending migrations fail with SchemaOlder.
 */
export const layerMigrated = (home: Home, onServer = true) =>
  stores.pipe(
    Layer.provideMerge(Layer.effectDiscard("url" in home && !onServer ? migrateEmpty : migrate)),
    Layer.provideMerge("url" in home ? layerServerClock : Layer.empty),
    Layer.provideMerge(layerConnection(home))
  )

/**
 * Decides which process runs each background task of the home, given its connection. Costs nothing until a task is
 * placed.
 */
export const layerPlacement = (home: Home): Layer.Layer<Placement, never, SqlClient.SqlClient> =>
  "url" in home ? PgPlacement : layerLockPlacement(home.dataDir)
