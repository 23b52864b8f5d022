import { randomUUID } from "node:crypto"
import type { TestProject } from "vitest/node"
import { bundleCommandOnce } from "./bundledCommand.ts"
import { makeEmbeddedTemplate } from "./embeddedTemplate.ts"
import { findBrowser, missingBrowser } from "./findBrowser.ts"
import { findServer, startPostgres } from "./TestPostgres.ts"

declare module "vitest" {
  export interface ProvidedContext {
    /** A superuser's URL of a real Postgres server, or null when the tests run without one. */
    readonly postgresUrl: string | null
    /** Name of the run's template database on that server; made by the first test that copies it. */
    readonly serverTemplate: string
    /** Folder of the embedded database that tests copy. */
    readonly embeddedTemplate: string
    /** Launcher of the bundled command. */
    readonly bundledLauncher: string
    /** SOV_TEST_HOMES as it was checked: which homes the suite runs on. */
    readonly testHomes: TestHomes
    /** The browser that shows pages, or null when tests of pages are left out. */
    readonly browser: string | null
  }
}

/** `found` = embedded, and Postgres where there is a server; `both` = a missing server is an error. */
export type TestHomes = "embedded" | "postgres" | "both" | "found"

const isTestHomes = (value: string): value is TestHomes => ["embedded", "postgres", "both", "found"].includes(value)

const missing = "no Postgres server of version 15 or newer: set SOV_TEST_DATABASE_URL or install the binaries"

/** The server of this run: SOV_TEST_DATABASE_URL, else one started from this machine's binaries, else none. */
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
  /** Ends what was started. Asked again, it does nothing more. */
  readonly stop: () => Promise<void>
}

const makeDatabases = async (): Promise<Databases> => {
  const homes = process.env["SOV_TEST_HOMES"] || "found"
  if (!isTestHomes(homes)) throw new Error(`SOV_TEST_HOMES is embedded, postgres, both or found, not ${homes}`)
  const template = await makeEmbeddedTemplate()
  const launcher = bundleCommandOnce()
  // Of this run alone: another run on the same server may have another schema
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
 * Gives the suite its databases (a Postgres server where there is one, and the embedded database that tests copy) and
 * the command that tests start.
 */
export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  // Each project that needs them loads this module for itself; what the first made serves all
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
