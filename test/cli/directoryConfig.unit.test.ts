import { chmodSync, chownSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { findDirectoryConfig } from "../../packages/cli/src/settings/directoryConfig.ts"
import { workspace } from "../support/sov.ts"

it("the configuration of a data directory is used if no file was named and no server is chosen", () => {
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

it("a configuration that another user may have put into the data directory is not read", () => {
  const dataDir = join(workspace(), "data")
  const options = { dataDir, sources: { config: "default" } }
  const file = join(dataDir, "sov.config.json")
  mkdirSync(dataDir, { mode: 0o700 })
  writeFileSync(file, "{}", { mode: 0o600 })
  for (const path of [dataDir, file]) {
    chmodSync(path, 0o722)
    expect(findDirectoryConfig(options, {})).toBeNull()
    chmodSync(path, 0o700)
    expect(findDirectoryConfig(options, {})).toBe(file)
    if (process.getuid?.() === 0) {
      chownSync(path, 65_534, 65_534)
      expect(findDirectoryConfig(options, {})).toBeNull()
      chownSync(path, 0, 0)
    }
  }
})
