/** Requests that commands send to a server before they print or open its address. */
import { readInstanceTag } from "@sov/core/access"
import { answerLinkQuestion } from "@sov/core/people"
import { Effect } from "effect"
import { linkRefused } from "../guard/PageRefused.ts"
import type { PageRequest } from "../guard/PageRequest.ts"
import { sendFile } from "../guard/Reply.ts"

const plainText = "text/plain; charset=utf-8"

/**
 * GET /login/instance: the installation's tag, eight hex digits that are not secret. A command checks it before it
 * prints the address of a page, because another installation may use the port.
 */
export const showInstance = () =>
  Effect.map(readInstanceTag(), (tag) => sendFile("instance.txt", plainText, `${tag}\n`))

/**
 * GET /login/check/{hash}?challenge=: proves to a command that this server accepts a link, identified by its SHA-256.
 * 410 if it does not.
 */
export const checkLink = ({ params, query }: PageRequest) =>
  answerLinkQuestion(params["hash"] ?? "", query.get("challenge") ?? "").pipe(
    Effect.map((proof) => sendFile("check.txt", plainText, `${proof}\n`)),
    Effect.catchTag("LinkRefused", () => Effect.fail(linkRefused))
  )
