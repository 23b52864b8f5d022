import { hash } from "node:crypto"
import { type Answer, toArchivableText } from "../archive/Answer.ts"
import type { Capture } from "../archive/ArchiveRow.ts"
import { deriveSources, type StoredAnswer } from "./deriveSources.ts"
import { type AnswerSources, sourceVersion } from "./Source.ts"

/** sha256 of a provider's payload, in lower-case hex. */
export const hashPayload = (payload: Uint8Array): string => hash("sha256", payload, "hex")

/** What is kept with an answer about where it came from, where its sources are already derived. */
export const captureFound = ({ payload, search }: Answer, found: AnswerSources): Capture => ({
  search: search ?? null,
  payloadSha256: hashPayload(payload),
  sourceVersion,
  found
})

/** The answer of this adapter as its sources are derived from it. */
export const toStoredAnswer = (adapter: string, { citations, payload, text }: Answer): StoredAnswer => ({
  adapter,
  payload,
  text: toArchivableText(text),
  citations
})

/** What is kept with an answer of this adapter about where it came from. */
export const captureAnswer = (adapter: string, answer: Answer): Capture =>
  captureFound(answer, deriveSources(toStoredAnswer(adapter, answer)))

const unread: AnswerSources = { status: "unreadable", sources: [], queries: [], cut: 0 }

/** The same of an answer whose sources cannot be derived. */
export const captureUnreadable = (answer: Answer): Capture => captureFound(answer, unread)

/** The same of an answer whose sources are derived later: by the version it has the present rules have not read it. */
export const captureUnread = (answer: Answer): Capture => ({
  ...captureFound(answer, unread),
  sourceVersion: sourceVersion - 1
})
