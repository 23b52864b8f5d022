import { Effect } from "effect"
import { type AnchorDocument, describeTsaFault, stampedBytes } from "../../domain/archive/AnchorDocument.ts"
import { TimeStamps } from "../../ports/TimeStamps.ts"
import { Rejected } from "../errors.ts"

/**
 * Adds a time stamp of the authority at `url` to the anchor, which contains that address without its query. Fails with
 * Rejected for an address that cannot be asked, or as `TimeStamps.request`.
 */
export const stampAnchor = Effect.fn("stampAnchor")(function*(anchor: AnchorDocument, url: string) {
  const fault = describeTsaFault(url)
  if (fault !== null) return yield* new Rejected({ field: "tsa", message: `the address of the authority ${fault}` })
  const response = yield* (yield* TimeStamps).request(url, stampedBytes(anchor))
  const { origin, pathname } = new URL(url)
  const stamped: AnchorDocument = {
    ...anchor,
    time_stamp: { tsa: `${origin}${pathname}`, response: Buffer.from(response).toString("base64") }
  }
  return stamped
})
