/** Variables of the environment that are empty count as not set. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { dropEmptyVariables } from "../../packages/cli/src/settings/envFile.ts"
import { environment } from "../../packages/cli/src/settings/environment.ts"
import { startSov, workspace } from "../support/sov.ts"

it("sov's empty variables are removed; other variables, and variables with a value, stay", () => {
  const env = {
    ...Object.fromEntries(environment.map(({ name }) => [name, ""])),
    SOV_PORT: "4681",
    SOV_HOST: " ",
    OTHER: ""
  }
  dropEmptyVariables(env)
  expect(env).toEqual({ SOV_PORT: "4681", SOV_HOST: " ", OTHER: "" })
})

it("a command treats an empty variable as unset, both in the environment and in .env", async () => {
  const cwd = workspace()
  writeFileSync(join(cwd, ".env"), "SOV_PUBLIC_URL=\nSOV_URL=\nSOV_ORG=acme\nSOV_REST_RATE=7\n")
  const env = { SOV_DATA_DIR: "", SOV_ORG: "", SOV_PORT: "" }
  const { stdout } = await startSov(cwd, ["config", "list", "--json"], { env })
  const settings = JSON.parse(stdout) as ReadonlyArray<{ readonly name: string; readonly value: unknown }>
  const read = (name: string) => settings.find((one) => one.name === name)
  expect(read("data-dir")).toMatchObject({ value: join(cwd, ".sov"), source: "default" })
  expect(read("org")).toMatchObject({ value: null })
  expect(read("port")).toMatchObject({ value: "4680", source: "default" })
  expect(read("rest-rate")).toMatchObject({ value: "7" })
})
