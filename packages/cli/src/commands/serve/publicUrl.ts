import { Rejected } from "@sov/core/common"
import { Effect } from "effect"
import { parseOrigin } from "../../settings/serverOrigin.ts"

/**
 * Scheme and host of the address at which clients reach the server, such as `https://sov.example.com`. Fails with
 * Rejected if it has a path, a query or a user, because addresses built from it would be wrong.
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
