import { readInstanceTag } from "@sov/core"
import { Effect } from "effect"
import { sendFile } from "../guard/Reply.ts"

/**
 * GET /login/instance: which installation this is, as eight hex digits that are no secret. A command asks before it prints
 * a link: another installation may have the port.
 */
export const showInstance = () =>
  Effect.map(readInstanceTag(), (tag) => sendFile("instance.txt", "text/plain; charset=utf-8", `${tag}\n`))
