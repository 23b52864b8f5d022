/** What the formats that follow OpenAI's Responses API share: `output` is a list of items, messages among them. */
import type { Finish } from "../../../domain/archive/Answer.ts"
import { joinTextRuns, readMembers, readNonEmptyString, readObjects, readString } from "./readJson.ts"

type Content = ReadonlyArray<Record<string, unknown>>

/** Messages only: reasoning and tool calls are other items. Commentary is for the time until the answer is there. */
const listMessages = (output: unknown): ReadonlyArray<Content> => {
  const messages = readObjects(output).filter((item) => item["type"] === "message")
  const final = messages.filter((message) => message["phase"] !== "commentary")
  return (final.length > 0 ? final : messages).map((message) => readObjects(message["content"]))
}

/** What a reader sees of a message: its text, and a refusal, which is said in words, too. */
const listShownTexts = (content: Content): ReadonlyArray<string> => {
  const said = (type: string, member: string) =>
    content.map((part) => part["type"] === type ? readString(part[member]) ?? "" : "").join("")
  return [said("output_text", "text"), said("refusal", "refusal")]
}

/**
 * The messages of `output`: the parts of all of them, their text as a reader sees it, whether any part is a refusal.
 */
export const readMessages = (output: unknown) => {
  const messages = listMessages(output)
  const parts = messages.flat()
  return {
    parts,
    text: joinTextRuns(messages.flatMap(listShownTexts)),
    refused: parts.some((part) => part["type"] === "refusal")
  }
}

const finishByIncompleteReason: Readonly<Record<string, Finish>> = {
  max_output_tokens: "length",
  content_filter: "content_filter"
}

/** Why the response is incomplete, in the format's own word; null where it is not, or does not say. */
export const readIncompleteReason = (body: Record<string, unknown>): string | null =>
  readNonEmptyString(readMembers(body["incomplete_details"])?.["reason"])

/** How a text ended that came with `status` and `reason` (`readIncompleteReason`). */
export const readStatusFinish = (status: unknown, reason: string | null): Finish =>
  status === "completed"
    ? "stop"
    : reason !== null && Object.hasOwn(finishByIncompleteReason, reason)
    ? finishByIncompleteReason[reason]!
    : "other"
