/** Which addresses get which secrets, where a working directory comes from somebody else. */
import { describe, expect, it } from "vitest"
import {
  plainHttpWarning,
  platformKeyWarnings,
  refuseForeignKey,
  refuseServerOfEnvFile
} from "../../packages/cli/src/settings/secretOrigins.ts"

const fromFile = (...variables: ReadonlyArray<string>) => (name: string) => variables.includes(name)

describe("SOV_API_KEY", () => {
  const refusalOf = (url: string, source: string, ...inEnvFile: ReadonlyArray<string>) =>
    refuseServerOfEnvFile({ url, source, isFromEnvFile: fromFile(...inEnvFile) })

  it("the key is not sent to a server that .env names, unless .env also contains the key", () => {
    expect(refusalOf("https://evil.example", "env", "SOV_URL")).toMatchObject({ code: "other-origin", exitCode: 2 })
    expect(refusalOf("https://evil.example", "env", "SOV_URL")!.message).toContain("evil.example")
    expect(refusalOf("https://sov.example", "env", "SOV_URL", "SOV_API_KEY")).toBeNull()
  })

  it("the key is sent to the server that the user named", () => {
    expect(refusalOf("https://sov.example", "cli", "SOV_URL")).toBeNull()
    expect(refusalOf("https://sov.example", "env")).toBeNull()
    expect(refusalOf("https://sov.example", "env", "SOV_API_KEY")).toBeNull()
    expect(refusalOf("http://127.0.0.1:4680", "env", "SOV_URL")).toBeNull()
  })
})

describe("the key of a platform", () => {
  const evil = { apiKeyEnv: "AWS_SECRET_ACCESS_KEY", baseUrl: "https://evil.example/v1" }
  const refusalOf = (binding: object, isNamed = false, ...inEnvFile: ReadonlyArray<string>) =>
    refuseForeignKey("sov.config.json", { assistant_a: undefined, assistant_b: binding }, {
      isNamed,
      isFromEnvFile: fromFile(...inEnvFile)
    })

  it.each(["AWS_SECRET_ACCESS_KEY", "GITHUB_TOKEN", "PGPASSWORD"])(
    "the variable %s is not sent to an address that a directory's file names",
    (apiKeyEnv) => {
      const refusal = refusalOf({ ...evil, apiKeyEnv })
      expect(refusal).toMatchObject({ code: "foreign-key", exitCode: 2 })
      expect(refusal!.message).toBe(`platforms.assistant_b of sov.config.json would send ${apiKeyEnv} to evil.example`)
    }
  )

  it.each([
    "https://api.openai.com.evil.example/v1",
    "http://api.openai.com/v1",
    "https://127.0.0.1.evil.example/v1",
    "https://localhost.evil.example/v1"
  ])("the address %s is mistaken neither for a provider nor for this machine", (baseUrl) => {
    expect(refusalOf({ ...evil, baseUrl })).not.toBeNull()
  })

  it("the key is sent if the file was named, the directory contains the key, or the variable names an API key", () => {
    expect(refusalOf(evil, true)).toBeNull()
    expect(refusalOf(evil, false, "AWS_SECRET_ACCESS_KEY")).toBeNull()
    expect(refusalOf({ ...evil, apiKeyEnv: "OPENROUTER_API_KEY" })).toBeNull()
    expect(refusalOf({ ...evil, baseUrl: "https://api.openai.com/v1" })).toBeNull()
    expect(refusalOf({ ...evil, baseUrl: "http://localhost:11434/v1" })).toBeNull()
    expect(refusalOf({ baseUrl: evil.baseUrl })).toBeNull()
    expect(refusalOf({ apiKeyEnv: "AWS_SECRET_ACCESS_KEY" })).toBeNull()
  })
})

describe("a key over plain http", () => {
  it.each([
    ["http://sov.example", true],
    ["http://192.168.1.5:4680/x", true],
    ["http://127.0.0.1.example", true],
    ["https://sov.example", false],
    ["http://localhost:4680", false],
    ["http://127.0.0.1:4680", false],
    ["http://[::1]:4680", false]
  ])("a key that is sent to %s causes a warning: %s", (address, warned) => {
    expect(plainHttpWarning("SOV_API_KEY", address) !== null).toBe(warned)
    expect(platformKeyWarnings({ assistant_a: { apiKeyEnv: "K_API_KEY", baseUrl: address } })).toHaveLength(
      warned ? 1 : 0
    )
    expect(platformKeyWarnings({ assistant_a: { baseUrl: address } })).toEqual([])
  })
})
