import { hash } from "node:crypto"
import { type Answer, toArchivableText } from "../archive/Answer.ts"
import type { Capture } from "../archive/ArchiveRow.ts"
import { deriveSources } from "./deriveSources.ts"
import { sourceVersion } from "./Source.ts"

/** sha256 of a provider's payload, in lower-case hex. */
export const hashPayload = (payload: Uint8Array): string => hash("sha256", payload, "hex")

/** What is kept with an answer of this adapter about where it came from. */
export const captureAnswer = (adapter: string, { citations, payload, search, text }: Answer): Capture => ({
  search: search ?? null,
  payloadSha256: hashPayload(payload),
  sourceVersion,
  found: deriveSources({ adapter, payload, text: toArchivableText(text), citations })
})
