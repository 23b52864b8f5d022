import { hash } from "node:crypto"
import { type Answer, toArchivableText } from "../archive/Answer.ts"
import type { Capture } from "../archive/ArchiveRow.ts"
import { deriveSources, type StoredAnswer } from "./deriveSources.ts"
import { type AnswerSources, sourceVersion } from "./Source.ts"

/** sha256 of a provider's payload, in lower-case hex. */
export const hashPayload = (payload: Uint8Array): string => hash("sha256", payload, "hex")

/** The provenance that is stored with an answer whose sources are derived. */
export const captureWithSources = ({ payload, search }: Answer, found: AnswerSources): Capture => ({
  search: search ?? null,
  payloadSha256: hashPayload(payload),
  sourceVersion,
  found
})

/** Converts an adapter's answer to the input of `deriveSources`. */
export const toStoredAnswer = (adapter: string, { citations, payload, text }: Answer): StoredAnswer => ({
  adapter,
  payload,
  text: toArchivableText(text),
  citations
})

/** Derives the sources of an adapter's answer and returns its provenance. */
export const captureAnswer = (adapter: string, answer: Answer): Capture =>
  captureWithSources(answer, deriveSources(toStoredAnswer(adapter, answer)))

const unread: AnswerSources = { status: "unreadable", sources: [], queries: [], cut: 0 }

/** The provenance of an answer whose sources cannot be derived. */
export const captureUnreadable = (answer: Answer): Capture => captureWithSources(answer, unread)

/**
 * The provenance of an answer whose sources are derived later; its version marks it as not read by the current rules.
 */
export const captureWithUnreadSources = (answer: Answer): Capture => ({
  ...captureWithSources(answer, unread),
  sourceVersion: sourceVersion - 1
})
