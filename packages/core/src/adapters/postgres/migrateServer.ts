/** Brings a server up to date as its owner: all that processes with fewer rights will find, and may not make. */
import { Effect } from "effect"
import { migrate } from "./migrate.ts"
import { renewGrants } from "./roles/applyRoles.ts"
import { withStoreErrors } from "./sqlErrors.ts"

/**
 * Runs what is pending, makes the tables of the workers' cluster, and grants again. Returns the steps and the roles.
 */
export const migrateServer = Effect.gen(function*() {
  const steps = yield* migrate
  // Loaded here: it brings the whole cluster along
  const { migrateWorkCluster } = yield* Effect.promise(() => import("./workers/workCluster.ts"))
  yield* migrateWorkCluster
  return { steps, roles: yield* renewGrants }
}).pipe(withStoreErrors("migrate"))
