/** Migrates a server as its owner: creates everything that processes with fewer rights need but may not create. */
import { Effect } from "effect"
import { migrate } from "./migrate.ts"
import { renewGrants } from "./roles/applyRoles.ts"
import { withStoreErrors } from "./sqlErrors.ts"

/**
 * Runs pending migrations, creates the tables of the workers' cluster, and renews the grants. Returns the migrations
 * and the roles.
 */
export const migrateServer = Effect.gen(function*() {
  const steps = yield* migrate
  // Imported here, because the module loads the whole cluster
  const { migrateWorkCluster } = yield* Effect.promise(() => import("./workers/workCluster.ts"))
  yield* migrateWorkCluster
  return { steps, roles: yield* renewGrants }
}).pipe(withStoreErrors("migrate"))
