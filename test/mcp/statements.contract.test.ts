/** The SQL statements of a tool call. */
import type { Stores } from "@sov/core/testing"
import { Effect, Layer, ManagedRuntime } from "effect"
import { type SqlClient, Statement } from "effect/sql"
import { afterAll, beforeAll, expect, it } from "vitest"
import { oneHome } from "../support/homes.ts"
import { openMcp, type TestMcp, visibleTenant } from "../support/mcpServer.ts"
import { layerHome } from "../support/storage.ts"

/** The text of every statement that ran. */
const statements: Array<string> = []
const runtime = ManagedRuntime.make(
  layerHome(oneHome[0]!).pipe(
    Layer.provideMerge(Layer.succeed(Statement.CurrentTransformer, (statement) =>
      Effect.sync(() => {
        statements.push(statement.compile()[0])
        return statement
      })))
  )
)

let server: TestMcp
beforeAll(async () => {
  server = await openMcp(Layer.succeedContext(await runtime.context()) as Layer.Layer<Stores | SqlClient.SqlClient>)
})
afterAll(async () => {
  await server.close()
  await runtime.dispose()
})

it("a page of answers is read with one SQL statement, and a summary that was read before with two", async () => {
  const { key } = await server.run(visibleTenant())
  // Ignores statements about keys and about other servers
  const isOwn = (statement: string) => !/\b(?:api_key|server|pg_notify)\b/.test(statement)
  const expected = { get_visibility_summary: ["found_actions", "score"], get_answer_archive: ["answer"] }
  for (const [name, tables] of Object.entries(expected)) {
    await server.call(key, name)
    statements.length = 0
    await server.call(key, name)
    // Compared as a set, because a group that is not answered within a second is read again
    expect([...new Set(statements.filter(isOwn))]).toEqual(
      tables.map((table) => expect.stringContaining(` from ${table}`))
    )
  }
})
