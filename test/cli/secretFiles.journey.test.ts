/** Secrets that lie in files: `NAME_FILE`, and the credentials of systemd. */
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { readSecretFiles } from "../../packages/cli/src/settings/secretFiles.ts"
import { startSov, workspace } from "../support/sov.ts"

type Env = Record<string, string | undefined>

const fileWith = (text: string): string => {
  const file = join(workspace(), "secret")
  writeFileSync(file, text)
  return file
}
const credentials = (files: Readonly<Record<string, string>>): string => {
  const directory = join(workspace(), "credentials")
  mkdirSync(directory)
  for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text)
  return directory
}

it("NAME_FILE sets NAME, without the line break at the end of the file", () => {
  const file = fileWith("postgres://sov:secret@db/sov\n")
  const key = fileWith("sk-1")
  const env: Env = { SOV_DATABASE_URL_FILE: file, OPENAI_API_KEY_FILE: key, SOV_SMTP_URL_FILE: "" }
  expect([...readSecretFiles(env)]).toEqual([["SOV_DATABASE_URL", file], ["OPENAI_API_KEY", key]])
  expect(env).toMatchObject({ SOV_DATABASE_URL: "postgres://sov:secret@db/sov", OPENAI_API_KEY: "sk-1" })
  expect(env).not.toHaveProperty("SOV_SMTP_URL")
})

it("a variable takes precedence over its file, which is then not read", () => {
  const env: Env = { SOV_ENCRYPTION_KEYS: "k1:AA==", SOV_ENCRYPTION_KEYS_FILE: "/nowhere" }
  expect([...readSecretFiles(env)]).toEqual([])
  expect(env["SOV_ENCRYPTION_KEYS"]).toBe("k1:AA==")
})

it("variables that are not secrets of sov keep their meaning", () => {
  const env: Env = { SSL_CERT_FILE: "/nowhere", SOV_PORT_FILE: "/nowhere" }
  expect([...readSecretFiles(env)]).toEqual([])
})

it("each credential sets the variable that it is named after, and other files set none", () => {
  const directory = credentials({ ANTHROPIC_API_KEY: "sk-2\n", SOV_OIDC_CLIENT_SECRET: "s", "tls.pem": "x" })
  const env: Env = { CREDENTIALS_DIRECTORY: directory, SOV_OIDC_CLIENT_SECRET: "other" }
  expect([...readSecretFiles(env)]).toEqual([["ANTHROPIC_API_KEY", join(directory, "ANTHROPIC_API_KEY")]])
  expect(env).toMatchObject({ ANTHROPIC_API_KEY: "sk-2", SOV_OIDC_CLIENT_SECRET: "other" })
})

it("systemd loads an entire directory of credentials with its prefix", () => {
  const env: Env = { CREDENTIALS_DIRECTORY: credentials({ sov_OPENAI_API_KEY: "sk-3\n", other_GEMINI_API_KEY: "x" }) }
  expect([...readSecretFiles(env).keys()]).toEqual(["OPENAI_API_KEY"])
  expect(env["OPENAI_API_KEY"]).toBe("sk-3")
})

it.each([
  ["is not there", { SOV_DATABASE_URL_FILE: "/nowhere/url" }, "there is no file /nowhere/url"],
  ["is a folder", { SOV_DATABASE_URL_FILE: "/" }, "cannot read /: it is a folder"],
  ["is a directory that is not there", { CREDENTIALS_DIRECTORY: "/nowhere" }, "there is no file /nowhere"]
])("a file that %s is refused", (_, env, message) => {
  expect(() => readSecretFiles({ ...env })).toThrow(message)
})

it("an empty file is refused, because the command would otherwise use another database", () => {
  const file = fileWith(" \n")
  expect(() => readSecretFiles({ SOV_DATABASE_URL_FILE: file })).toThrow(`${file} is empty`)
})

it("the command uses the secrets, says where they come from, and never shows them", async () => {
  const cwd = workspace()
  const directory = credentials({ SOV_SMTP_URL: "smtp://me:pa55-canary@mail.example" })
  const url = fileWith("postgres://me:pa55-canary@db.example/sov")
  const env = { CREDENTIALS_DIRECTORY: directory, SOV_DATABASE_URL_FILE: url }
  const { code, stderr, stdout } = await startSov(cwd, ["config", "list", "--json"], { env })
  expect({ code, stderr }).toMatchObject({ code: 0 })
  expect(stdout).not.toContain("canary")
  expect(JSON.parse(stdout)).toEqual(expect.arrayContaining([
    expect.objectContaining({ name: "database-url", value: "postgres://db.example/sov", source: "file", from: url }),
    expect.objectContaining({ name: "smtp-url", value: "set", source: "file", from: join(directory, "SOV_SMTP_URL") })
  ]))
})

it("a command without a required secret fails with one line, but its help works", async () => {
  const env = { SOV_DATABASE_URL_FILE: "/nowhere/url" }
  const [status, help] = await Promise.all([
    startSov(workspace(), ["status", "--json"], { env }),
    startSov(workspace(), ["help", "environment"], { env })
  ])
  expect(status).toMatchObject({ code: 3, stdout: "" })
  expect(JSON.parse(status.stderr)).toEqual({
    error: {
      code: "not-found",
      message: "there is no file /nowhere/url",
      hint: "SOV_DATABASE_URL_FILE names the file that holds SOV_DATABASE_URL",
      exit_code: 3
    }
  })
  expect(help.code).toBe(0)
  expect(help.stdout).toContain("CREDENTIALS_DIRECTORY")
})
