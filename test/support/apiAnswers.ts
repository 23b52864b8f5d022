/** What tests say about answers of the API. */
import { Schema } from "effect"
import { expect } from "vitest"
import type { Answer, Ask } from "./apiServer.ts"

/** Where the API is read. */
export const reading = ["/api/v1/sov", "/api/v1/scans", "/api/v1/archive"]

export const json = { "content-type": "application/json" }

/** Starts a scan. */
export const post = (key: string, body?: string | Uint8Array, headers: Ask["headers"] = json): Ask => ({
  method: "POST",
  key,
  ...body === undefined ? {} : { body },
  headers: headers ?? {}
})

/** Every error says the same things in the same form, and nothing of the inside. */
export const expectProblem = (answer: Answer, status: number, slug: string) => {
  expect([answer.status, (answer.json as { type?: string } | null)?.type], answer.text).toEqual([
    status,
    `/problems/${slug}`
  ])
  expect(answer.headers["content-type"]).toBe("application/problem+json")
  expect(answer.json).toMatchObject({ status, title: expect.any(String), request_id: answer.headers["x-request-id"] })
  expect(answer.text).not.toMatch(/sov_live_|select |at .*\.ts|node_modules/)
  return answer.json as { readonly [member: string]: unknown }
}

/** Where a problem says that something is wrong. */
export const paths = (problem: { readonly [member: string]: unknown }) =>
  (problem["errors"] as ReadonlyArray<{ path: ReadonlyArray<unknown> }>).map(({ path }) => path.join("."))

/** The value, if it has exactly the members of the schema. */
export const exactly = <A, I>(schema: Schema.Codec<A, I>, value: unknown): A =>
  Schema.decodeUnknownSync(schema, { onExcessProperty: "error" })(value)
