/** Which addresses a server may be given as its own. */
import { Effect } from "effect"
import { expect, it } from "vitest"
import { publicUrl } from "../../packages/cli/src/commands/serve/publicUrl.ts"

it.each([
  ["https://sov.example.com", "https://sov.example.com"],
  ["https://SOV.example.com:443/", "https://sov.example.com"],
  ["http://[::1]:4680", "http://[::1]:4680"]
])("the public address %s is normalized to %s", (text, origin) => {
  expect(Effect.runSync(publicUrl(text))).toBe(origin)
})

it.each([
  "sov.example.com",
  "",
  "ftp://sov.example.com",
  "https://sov.example.com/base",
  "https://sov.example.com?a=1",
  "https://sov.example.com/?",
  "https://sov.example.com#x",
  "https://me:secret@sov.example.com"
])("the public address %s is refused in one line, without a password", (text) => {
  const { field, message } = Effect.runSync(Effect.flip(publicUrl(text)))
  expect([field, message]).toEqual(["--public-url", expect.stringMatching(/^--public-url must be .*, not ".*"$/)])
  expect(message).not.toContain("secret")
})
