/** Shared by the formats that follow OpenAI's Responses API: `output` is a list of items, some of them messages. */
import type { Finish } from "../../../domain/archive/Answer.ts"
import { joinTextRuns, readMembers, readNonEmptyString, readObjects, readString } from "./readJson.ts"

type Content = ReadonlyArray<Record<string, unknown>>

/**
 * Returns only messages: reasoning and tool calls are other items. Commentary, which bridges the wait for the answer,
 * is left out unless there is nothing else.
 */
const listMessages = (output: unknown): ReadonlyArray<Content> => {
  const messages = readObjects(output).filter((item) => item["type"] === "message")
  const final = messages.filter((message) => message["phase"] !== "commentary")
  return (final.length > 0 ? final : messages).map((message) => readObjects(message["content"]))
}

/** The texts of a message that a reader sees: its text and any refusal, which is also text. */
const listShownTexts = (content: Content): ReadonlyArray<string> => {
  const said = (type: string, member: string) =>
    content.map((part) => part["type"] === type ? readString(part[member]) ?? "" : "").join("")
  return [said("output_text", "text"), said("refusal", "refusal")]
}

/** The messages of `output`: all their parts, the text that a reader sees, and whether any part is a refusal. */
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

/** Why the response is incomplete, in the format's own word; null if it is complete or gives no reason. */
export const readIncompleteReason = (body: Record<string, unknown>): string | null =>
  readNonEmptyString(readMembers(body["incomplete_details"])?.["reason"])

/** How a text ended, from its `status` and `reason` (`readIncompleteReason`). */
export const readStatusFinish = (status: unknown, reason: string | null): Finish =>
  status === "completed"
    ? "stop"
    : reason !== null && Object.hasOwn(finishByIncompleteReason, reason)
    ? finishByIncompleteReason[reason]!
    : "other"
