import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { findDirectoryConfig } from "../../packages/cli/src/settings/directoryConfig.ts"
import { workspace } from "../support/sov.ts"

it("the configuration of a data directory holds where nobody named a file and no server is chosen", () => {
  const dataDir = join(workspace(), "data")
  const options = { dataDir, sources: { config: "default" } }
  expect(findDirectoryConfig(options, {})).toBeNull()
  mkdirSync(dataDir)
  const file = join(dataDir, "sov.config.json")
  writeFileSync(file, "{}")
  expect(findDirectoryConfig(options, {})).toBe(file)
  expect(findDirectoryConfig(options, { SOV_DATABASE_URL: "" })).toBe(file)
  for (const config of ["cli", "env"]) expect(findDirectoryConfig({ dataDir, sources: { config } }, {})).toBeNull()
  expect(findDirectoryConfig(options, { SOV_DATABASE_URL: "postgres://db.example/sov" })).toBeNull()
  expect(findDirectoryConfig({ ...options, databaseUrlFile: "url" }, {})).toBeNull()
})
