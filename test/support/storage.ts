/** The storage of one test file on a home: its own migrated database with all stores. */
import { everyOrganization, layerInProcess, layerServer, layerStores, RowScope } from "@sov/core/postgres"
import type { Stores } from "@sov/core/testing"
import { Effect, Layer, ManagedRuntime, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import type { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import { inject } from "vitest"
import { migratedDump } from "./embeddedTemplate.ts"
import { type Home, postgresUrl } from "./homes.ts"
import { databaseUrl, makeTemplate, onServer, roleUrl } from "./serverTemplate.ts"

const serverUrl = (): string => {
  if (postgresUrl === null) throw new Error("this run has no Postgres server")
  return postgresUrl
}

/** A database without any table on the server, dropped with the scope; `options` are appended to CREATE DATABASE. */
export const emptyDatabase = (options = "") =>
  Effect.acquireRelease(
    Effect.suspend(() => {
      const name = `sov_${randomUUID().replaceAll("-", "")}`
      return Effect.as(onServer(serverUrl(), `create database ${name} ${options}`), {
        name,
        url: databaseUrl(serverUrl(), name)
      })
    }),
    ({ name }) => Effect.ignore(onServer(serverUrl(), `drop database ${name} with (force)`))
  )

const template = inject("serverTemplate")
let ready: Promise<void> | undefined

/** A separate migrated database on the server, dropped with the scope. */
export const freshDatabase = Effect.andThen(
  Effect.promise(() => ready ??= makeTemplate(serverUrl(), template)),
  Effect.suspend(() => emptyDatabase(`template ${template}`))
)

/**
 * The role with which stores are connected on the server: `superuser`, who owns the tables, or a role that may only
 * serve or only work.
 */
export type TestRole = "superuser" | "api" | "worker"

const isTestRole = (value: string): value is TestRole => ["superuser", "api", "worker"].includes(value)

const readTestRole = (value: string): TestRole => {
  if (isTestRole(value)) return value
  throw new Error(`SOV_TEST_ROLE is superuser, api or worker, not ${value}`)
}

/** The role of this run, from SOV_TEST_ROLE. */
export const testRole = readTestRole(process.env["SOV_TEST_ROLE"] || "superuser")

/** The role of the stores in their contract tests: a statement that the API's role may not run fails there. */
export const storeRole = readTestRole(process.env["SOV_TEST_ROLE"] || "api")

/**
 * The role of this run for stores that decide who may act (persons, sign-ins, keys, and their audit entries) and for
 * backups. The worker's role may not read these tables, so the API's role is used instead.
 */
export const accessRole: TestRole = testRole === "worker" ? "api" : testRole

/** A migrated database, connected as `role`. */
export const freshDatabaseFor = (role: TestRole) =>
  Effect.map(freshDatabase, ({ name, url }) => ({
    name,
    url: role === "superuser" ? url : roleUrl(url, template, role)
  }))

/** A separate, migrated embedded database in memory. */
const freshInMemory = layerInProcess({ dump: migratedDump(inject("embeddedTemplate")) })

/** The home's connection and stores, in a database that nobody else uses. */
export const layerHome = (home: Home, role: TestRole = testRole) =>
  layerStores.pipe(
    Layer.provideMerge(
      home === "embedded"
        ? freshInMemory
        : Layer.unwrap(Effect.map(freshDatabaseFor(role), ({ url }) => layerServer({ url: Redacted.make(url) })))
    ),
    Layer.provideMerge(SecureRandom.layerWebCrypto)
  )

/** A runtime with a home's storage; call `close` in afterAll. */
export const openStorage = (home: Home, role: TestRole = testRole) => {
  const runtime = ManagedRuntime.make(layerHome(home, role))
  return {
    run: <A, E>(effect: Effect.Effect<A, E, Stores | SqlClient.SqlClient>): Promise<A> =>
      // A test's own queries see all organizations; a store's method runs for its own organization
      runtime.runPromise(Effect.provideService(effect, RowScope, everyOrganization)),
    close: (): Promise<void> => runtime.dispose()
  }
}
