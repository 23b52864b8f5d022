/** Databases of released versions: statements that make one as its version left it, with work in flight. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { globSync, readFileSync } from "node:fs"
import { basename, join } from "node:path"
import { gunzipSync } from "node:zlib"

const folder = join(import.meta.dirname, "../fixtures/databases")

/** The versions that have one, oldest first. */
export const releasedVersions: ReadonlyArray<string> = globSync("*.json.gz", { cwd: folder })
  .map((file) => basename(file, ".json.gz")).toSorted((a, b) => a.localeCompare(b, "en", { numeric: true }))

/** Makes the database of a version in an empty one: all of it, or nothing. */
export const makeDatabaseOf = Effect.fnUntraced(function*(version: string) {
  const sql = yield* SqlClient.SqlClient
  const text = gunzipSync(readFileSync(join(folder, `${version}.json.gz`))).toString("utf8")
  const statements = JSON.parse(text) as ReadonlyArray<string>
  yield* sql.withTransaction(Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true }))
})
