/**
 * Databases of released versions: the statements that recreate a database as this version left it, with work in
 * progress.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { globSync, readFileSync } from "node:fs"
import { basename, join } from "node:path"
import { gunzipSync } from "node:zlib"

const folder = join(import.meta.dirname, "../fixtures/databases")

/** The versions with a saved database, oldest first. */
export const releasedVersions: ReadonlyArray<string> = globSync("*.json.gz", { cwd: folder })
  .map((file) => basename(file, ".json.gz")).toSorted((a, b) => a.localeCompare(b, "en", { numeric: true }))

/** Recreates the database of a version in an empty database, completely or not at all. */
export const makeDatabaseOf = Effect.fnUntraced(function*(version: string) {
  const sql = yield* SqlClient.SqlClient
  const text = gunzipSync(readFileSync(join(folder, `${version}.json.gz`))).toString("utf8")
  const statements = JSON.parse(text) as ReadonlyArray<string>
  yield* sql.withTransaction(Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true }))
})
