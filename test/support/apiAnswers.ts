/** Assertions about responses of the API. */
import { Schema } from "effect"
import { expect } from "vitest"
import type { Answer, Ask } from "./apiServer.ts"

/** Paths of the API that only read. */
export const reading = ["/api/v1/sov", "/api/v1/scans", "/api/v1/archive"]

export const json = { "content-type": "application/json" }

/** A request that starts a scan. */
export const post = (key: string, body?: string | Uint8Array, headers: Ask["headers"] = json): Ask => ({
  method: "POST",
  key,
  ...body === undefined ? {} : { body },
  headers: headers ?? {}
})

/** Asserts that the response is a problem in the common form that reveals nothing internal. */
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

/** The paths of the invalid fields that a problem lists. */
export const paths = (problem: { readonly [member: string]: unknown }) =>
  (problem["errors"] as ReadonlyArray<{ path: ReadonlyArray<unknown> }>).map(({ path }) => path.join("."))

/** Returns the value if it has exactly the members of the schema; throws otherwise. */
export const exactly = <A, I>(schema: Schema.Codec<A, I>, value: unknown): A =>
  Schema.decodeUnknownSync(schema, { onExcessProperty: "error" })(value)
