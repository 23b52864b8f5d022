/** Databases of their own on the real server, for tests that start the product. */
import { PgClient } from "@effect/sql-pg"
import { Effect, Redacted } from "effect"
import { randomBytes } from "node:crypto"
import { onTestFinished } from "vitest"
import { postgresUrl } from "./homes.ts"

const onServer = (statement: string): Promise<void> =>
  Effect.gen(function*() {
    const sql = yield* PgClient.PgClient
    yield* sql.unsafe(statement)
  }).pipe(
    Effect.provide(PgClient.layer({ url: Redacted.make(postgresUrl!), maxConnections: 1 })),
    Effect.asVoid,
    Effect.runPromise
  )

/** URL of a new, empty database that is dropped when the test ends. */
export const freshDatabaseUrl = async (): Promise<string> => {
  const name = `sov_test_${randomBytes(6).toString("hex")}`
  await onServer(`create database ${name}`)
  onTestFinished(() => onServer(`drop database ${name} with (force)`))
  const url = new URL(postgresUrl!)
  url.pathname = `/${name}`
  return url.href
}
