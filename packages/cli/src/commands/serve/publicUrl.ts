import { Rejected } from "@sov/core/common"
import { Effect } from "effect"
import { parseOrigin } from "../../settings/serverOrigin.ts"

/**
 * Scheme and host of the address under which clients reach a server, as `https://sov.example.com`. Fails with Rejected
 * for one with a path, a query or a user: what is made of it would be wrong.
 */
export const publicUrl = (text: string) => {
  const origin = parseOrigin(text)
  return origin !== null ? Effect.succeed(origin) : Effect.fail(
    new Rejected({
      field: "--public-url",
      message: `--public-url must be an http or https address without path, query or user, not ${
        JSON.stringify(text.replace(/\/\/.*@/, "//[redacted]@"))
      }`
    })
  )
}
