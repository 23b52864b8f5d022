/** Lines of the server's log are JSON and contain no credentials. */
import { layerLogs } from "@sov/http"
import { Effect } from "effect"
import { expect, it, vi } from "vitest"

/** The log line for one message with one field. */
const logged = (message: string, field = "after"): { readonly line: string; readonly entry: unknown } => {
  const lines: Array<string> = []
  const spy = vi.spyOn(console, "error").mockImplementation((line: string) => void lines.push(line))
  try {
    Effect.runSync(
      Effect.logError(message).pipe(Effect.annotateLogs({ request_id: field }), Effect.provide(layerLogs(false)))
    )
  } finally {
    spy.mockRestore()
  }
  expect(lines).toHaveLength(1)
  return { line: lines[0]!, entry: JSON.parse(lines[0]!) }
}

it.each([
  ["Authorization: Bearer s3cr3t-token", "s3cr3t-token"],
  ["\nbasic dXNlcjpwYXNz", "dXNlcjpwYXNz"],
  ["{\"authorization\":\"Bearer s3cr3t-token\"}", "s3cr3t-token"],
  ["refused: sk-proj-abcdef123456", "sk-proj"],
  ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw==", "whsec_M"],
  ["AIzaSyA-1234567890abcdefghijklmnopqrst", "AIzaSy"],
  [`sov_live_${"0Ab3".repeat(12)}x`, "sov_live"],
  ["connect postgres://sov:hun\"ter2@db.internal/sov", "ter2"]
])("the secret %j is not logged, but everything after it is", (message, secret) => {
  const { entry, line } = logged(message)
  expect(line).not.toContain(secret)
  expect(entry).toMatchObject({
    message: expect.stringContaining("[redacted]"),
    annotations: { request_id: "after" }
  })
})

it("a URL without a password stays unchanged", () => {
  expect(logged("sov serves on http://localhost:4680", "a@b").entry).toMatchObject({
    message: "sov serves on http://localhost:4680",
    annotations: { request_id: "a@b" }
  })
})
