/**
 * A process that uses a data directory: `node client.ts <dataDir> <verb> …`.
 * `insert <count> <pauseMs>`: inserts rows one by one, half of them in a transaction with a pause, prints each
 * acknowledged id. `once`: one row, prints the count.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { layer } from "../../../packages/core/src/adapters/embedded/index.ts"

const [dataDir = "", verb = "once", count = "1", pauseMs = "0"] = process.argv.slice(2)

const program = Effect.gen(function*() {
  const sql = yield* SqlClient
  yield* sql`create table if not exists row (id text primary key)`.pipe(
    Effect.retry({ times: 3 }) // two first clients may both create the type
  )
  for (let i = 0; i < Number(count); i++) {
    const id = `${process.pid}-${i}`
    const insert = sql`insert into row (id) values (${id})`
    yield* i % 2 === 0
      ? insert
      : sql.withTransaction(Effect.andThen(insert, Effect.sleep(Math.random() * Number(pauseMs))))
    if (verb === "insert") process.stdout.write(`${id}\n`)
  }
  if (verb === "once") {
    const rows = yield* sql<{ n: bigint }>`select count(*) as n from row`
    process.stdout.write(`${rows[0]?.n}\n`)
  }
})

await Effect.runPromise(Effect.provide(program, layer({ dataDir })))
