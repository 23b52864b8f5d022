/**
 * Tests a promise of docs/upgrade.md: since 0.1.0, no migration removes anything that an older process or a user's
 * query reads.
 */
import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { expect, it } from "vitest"
import { readPage } from "../support/docsPage.ts"

const folder = fileURLToPath(new URL("../../packages/core/src/adapters/postgres/migrations/", import.meta.url))
/** Schema version of the 0.1.0 database in test/fixtures/databases. */
const schemaOf010 = 25
const removals = (from: number): ReadonlyArray<string> =>
  readdirSync(folder).filter((file) => Number.parseInt(file, 10) >= from)
    .filter((file) => /\b(?:drop (?:table|column)|rename (?:to|column))\b/i.test(readFileSync(folder + file, "utf8")))

it("migrations since 0.1.0 neither drop nor rename a table or column", () => {
  expect(readPage("docs/upgrade.md")).toContain("From 0.1.0 on, migrations add")
  expect(removals(schemaOf010 + 1)).toEqual([])
  // The rule does find earlier migrations that removed something
  expect(removals(schemaOf010)).toEqual(["0025_alert_memories.ts"])
})
