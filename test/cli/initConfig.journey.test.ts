// Only in `npm run test:all`: two processes for each set of keys
import { decodePlatformConfig } from "@sov/core/outbound"
import { Result } from "effect"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { sov, workspace } from "../support/sov.ts"

const none = { OPENAI_API_KEY: "", ANTHROPIC_API_KEY: "", GEMINI_API_KEY: "", PERPLEXITY_API_KEY: "" }

it("a key of Azure alone causes no configuration, but a hint with the command that adds the platform", async () => {
  const cwd = workspace()
  const ran = await sov(cwd, ["init", "--brand", "Acme", "--keyword", "best anvil"], {
    env: { ...none, AZURE_OPENAI_API_KEY: "canary" }
  })
  expect(ran.code).toBe(0)
  expect(ran.stderr).toContain("AZURE_OPENAI_API_KEY is set: sov platform add azure --base-url https://RESOURCE.openai")
  expect(ran.stdout + ran.stderr).not.toContain("canary")
  expect(existsSync(join(cwd, "sov.config.json"))).toBe(false)
})

it.each([
  [
    "none",
    {},
    ["openai-responses"],
    /Set OPENAI_API_KEY, or edit it/,
    "Before the scan set OPENAI_API_KEY (environment or .env)\n"
  ],
  [
    "two",
    { GEMINI_API_KEY: "canary", OPENROUTER_API_KEY: "canary" },
    ["gemini", "openai-responses"],
    /gemini, openrouter/,
    ""
  ]
])(
  "`sov init` writes a valid configuration for the providers whose keys are set: %s",
  async (_, keys, adapters, says, missing) => {
    const cwd = workspace()
    const ran = await sov(cwd, ["init", "--brand", "Acme", "--keyword", "best anvil"], {
      env: { ...none, ...keys, npm_execpath: "npm" }
    })
    expect(ran).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("Next: npx sov platform test assistant_a, then npx sov scan --dry-run, then npx"),
      stderr: expect.stringMatching(says)
    })
    const text = readFileSync(join(cwd, "sov.config.json"), "utf8")
    expect(text).not.toContain("canary")
    const { platforms } = Result.getOrThrow(decodePlatformConfig(JSON.parse(text), "sov.config.json"))
    expect(Object.values(platforms).map(({ adapter }) => adapter)).toEqual(adapters)
    const listed = await sov(cwd, ["platform", "list"], { env: { ...none, ...keys } })
    for (const binding of Object.values(platforms)) {
      expect(listed.stdout).toContain("model" in binding ? binding.model : binding.adapter)
    }
    const planned = await sov(cwd, ["scan", "--dry-run"], { env: { ...none, ...keys } })
    expect(planned).toMatchObject({ code: 0, stdout: expect.stringContaining(`= ${adapters.length} call`) })
    expect(planned.stderr).toBe(missing)
  }
)
