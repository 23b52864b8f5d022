import { Rejected } from "@sov/core"
import { Effect } from "effect"

/**
 * Scheme and host of the address under which clients reach a server, as `https://sov.example.com`. Fails with Rejected for
 * one with a path, a query or a user: what is made of it would be wrong.
 */
export const publicUrl = (text: string) => {
  const url = URL.parse(text)
  const plain = url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`
  return plain ? Effect.succeed(url.origin) : Effect.fail(
    new Rejected({
      field: "--public-url",
      message: `--public-url must be an http or https address without path, query or user, not ${
        JSON.stringify(text.replace(/\/\/.*@/, "//[redacted]@"))
      }`
    })
  )
}
