/** What commands ask a server before they name it or send somebody there. */
import { readInstanceTag } from "@sov/core/access"
import { answerLinkQuestion } from "@sov/core/people"
import { Effect } from "effect"
import { linkRefused } from "../guard/PageRefused.ts"
import type { PageRequest } from "../guard/PageRequest.ts"
import { sendFile } from "../guard/Reply.ts"

const plainText = "text/plain; charset=utf-8"

/**
 * GET /login/instance: which installation this is, as eight hex digits that are no secret. A command asks before it
 * prints the address of a page: another installation may have the port.
 */
export const showInstance = () =>
  Effect.map(readInstanceTag(), (tag) => sendFile("instance.txt", plainText, `${tag}\n`))

/**
 * GET /login/check/{hash}?challenge=: proves that a link works here, to a command that names it by its sha256. 410 for
 * one that does not.
 */
export const checkLink = ({ params, query }: PageRequest) =>
  answerLinkQuestion(params["hash"] ?? "", query.get("challenge") ?? "").pipe(
    Effect.map((proof) => sendFile("check.txt", plainText, `${proof}\n`)),
    Effect.catchTag("LinkRefused", () => Effect.fail(linkRefused))
  )
