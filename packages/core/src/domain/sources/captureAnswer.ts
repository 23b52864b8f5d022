import { hash } from "node:crypto"
import { type Answer, toArchivableText } from "../archive/Answer.ts"
import type { Capture } from "../archive/ArchiveRow.ts"
import { deriveSources } from "./deriveSources.ts"
import { sourceVersion } from "./Source.ts"

/** sha256 of a provider's payload, in lower-case hex. */
export const hashPayload = (payload: Uint8Array): string => hash("sha256", payload, "hex")

const captureOf = ({ payload, search }: Answer, found: Capture["found"]): Capture => ({
  search: search ?? null,
  payloadSha256: hashPayload(payload),
  sourceVersion,
  found
})

/** What is kept with an answer of this adapter about where it came from. */
export const captureAnswer = (adapter: string, answer: Answer): Capture => {
  const { citations, payload, text } = answer
  return captureOf(answer, deriveSources({ adapter, payload, text: toArchivableText(text), citations }))
}

/** The same of an answer whose sources cannot be derived. */
export const captureUnreadable = (answer: Answer): Capture =>
  captureOf(answer, { status: "unreadable", sources: [], queries: [], cut: 0 })
