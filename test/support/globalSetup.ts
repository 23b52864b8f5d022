import type { TestProject } from "vitest/node"
import { findServer, startPostgres } from "./TestPostgres.ts"

declare module "vitest" {
  export interface ProvidedContext {
    /** A superuser's URL of a real Postgres server, or null when the tests run without one. */
    readonly postgresUrl: string | null
    /** SOV_TEST_HOMES as it was checked: which homes the suite runs on. */
    readonly testHomes: TestHomes
  }
}

/** `found` = embedded, and Postgres where there is a server; `both` = a missing server is an error. */
export type TestHomes = "embedded" | "postgres" | "both" | "found"

const isTestHomes = (value: string): value is TestHomes => ["embedded", "postgres", "both", "found"].includes(value)

const missing = "no Postgres server of version 15 or newer: set SOV_TEST_DATABASE_URL or install the binaries"

/** Gives the suite its Postgres: SOV_TEST_DATABASE_URL, else one started from this machine's binaries, else none. */
export default async function setup({ provide }: TestProject): Promise<(() => Promise<void>) | undefined> {
  const homes = process.env["SOV_TEST_HOMES"] || "found"
  if (!isTestHomes(homes)) throw new Error(`SOV_TEST_HOMES is embedded, postgres, both or found, not ${homes}`)
  provide("testHomes", homes)

  const url = process.env["SOV_TEST_DATABASE_URL"] || null
  if (homes === "embedded" || url !== null) {
    provide("postgresUrl", homes === "embedded" ? null : url)
    return undefined
  }
  const bin = findServer()
  if (bin === undefined) {
    if (homes !== "found") throw new Error(`SOV_TEST_HOMES=${homes}, but ${missing}`)
    console.warn(`Tests run on the embedded database only: ${missing}`)
    provide("postgresUrl", null)
    return undefined
  }
  const server = await startPostgres(bin)
  provide("postgresUrl", server.url)
  return server.stop
}
