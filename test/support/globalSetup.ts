import { randomUUID } from "node:crypto"
import type { TestProject } from "vitest/node"
import { bundleCommandOnce } from "./bundledCommand.ts"
import { makeEmbeddedTemplate } from "./embeddedTemplate.ts"
import { findBrowser, missingBrowser } from "./findBrowser.ts"
import { findServer, startPostgres } from "./TestPostgres.ts"

declare module "vitest" {
  export interface ProvidedContext {
    /** A superuser's URL of a real Postgres server; null if the tests run without a server. */
    readonly postgresUrl: string | null
    /** Name of the run's template database on that server, which is created by the first test that copies it. */
    readonly serverTemplate: string
    /** Folder of the embedded database that tests copy. */
    readonly embeddedTemplate: string
    /** Path of the bundled command's launcher. */
    readonly bundledLauncher: string
    /** The validated value of SOV_TEST_HOMES: on which homes the suite runs. */
    readonly testHomes: TestHomes
    /** The browser for tests of pages; null if these tests are left out. */
    readonly browser: string | null
  }
}

/** `found` = embedded, and Postgres if a server is available; `both` = it is an error if no server is available. */
export type TestHomes = "embedded" | "postgres" | "both" | "found"

const isTestHomes = (value: string): value is TestHomes => ["embedded", "postgres", "both", "found"].includes(value)

const missing = "no Postgres server of version 15 or newer: set SOV_TEST_DATABASE_URL or install the binaries"

/**
 * The server of this run: SOV_TEST_DATABASE_URL, or a server started from the binaries on this machine, or no server.
 */
const server = async (
  homes: TestHomes
): Promise<{ readonly url: string; readonly stop?: () => Promise<void> } | null> => {
  if (homes === "embedded") return null
  const url = process.env["SOV_TEST_DATABASE_URL"]
  if (url) return { url }
  const bin = findServer()
  if (bin !== undefined) return await startPostgres(bin)
  if (homes !== "found") throw new Error(`SOV_TEST_HOMES=${homes}, but ${missing}`)
  console.warn(`Tests run on the embedded database only: ${missing}`)
  return null
}

interface Databases {
  readonly homes: TestHomes
  readonly template: string
  readonly launcher: string
  readonly serverTemplate: string
  readonly url: string | null
  /** Stops everything that was started; calling it again does nothing. */
  readonly stop: () => Promise<void>
}

const makeDatabases = async (): Promise<Databases> => {
  const homes = process.env["SOV_TEST_HOMES"] || "found"
  if (!isTestHomes(homes)) throw new Error(`SOV_TEST_HOMES is embedded, postgres, both or found, not ${homes}`)
  const template = await makeEmbeddedTemplate()
  const launcher = bundleCommandOnce()
  // Used by this run only, because another run on the same server may have a different schema
  const serverTemplate = `sov_template_${randomUUID().replaceAll("-", "")}`
  const started = await server(homes)
  const end = async () => {
    if (started === null) return
    if (started.stop !== undefined) return await started.stop()
    const { dropTemplate } = await import("./serverTemplate.ts")
    await dropTemplate(started.url, serverTemplate)
  }
  let ended: Promise<void> | undefined
  return { homes, template, launcher, serverTemplate, url: started?.url ?? null, stop: () => ended ??= end() }
}

declare global {
  var sovTestDatabases: Promise<Databases> | undefined
}

/**
 * Creates the databases of the suite (a Postgres server if available, and the embedded database that tests copy) and
 * the command that tests start.
 */
export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  // Each project that needs the databases loads this module separately; all share what the first created
  const made = await (globalThis.sovTestDatabases ??= makeDatabases())
  provide("testHomes", made.homes)
  provide("embeddedTemplate", made.template)
  provide("bundledLauncher", made.launcher)
  provide("serverTemplate", made.serverTemplate)
  provide("postgresUrl", made.url)
  const browser = findBrowser(process.env["SOV_TEST_BROWSER"])
  if (browser === null) console.warn(`Tests of pages are skipped: ${missingBrowser}`)
  provide("browser", browser)
  return made.stop
}
