import { layerConnection } from "@sov/core/postgres"
import { type Effect, ManagedRuntime, Redacted } from "effect"
import type { SqlClient } from "effect/sql"
import { join } from "node:path"
import { ownerUrl } from "./databases.ts"

/**
 * A second connection, as the owner, to the database that commands run in `cwd` with `env` use; the caller closes it.
 */
export const openDirectConnection = (cwd: string, env: Readonly<Record<string, string>> = {}) => {
  const url = env["SOV_DATABASE_URL"]
  const runtime = ManagedRuntime.make(
    layerConnection(url === undefined ? { dataDir: join(cwd, ".sov") } : { url: Redacted.make(ownerUrl(url)) })
  )
  return {
    run: <A, E>(effect: Effect.Effect<A, E, SqlClient.SqlClient>): Promise<A> => runtime.runPromise(effect),
    close: (): Promise<void> => runtime.dispose()
  }
}
