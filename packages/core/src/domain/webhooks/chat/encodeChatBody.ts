import type { ChatFormat } from "../Webhook.ts"
import type { ChatMessage } from "./ChatMessage.ts"
import { makeDiscordBody } from "./discordBody.ts"
import { makeSlackBody } from "./slackBody.ts"
import { makeTeamsBody } from "./teamsBody.ts"

const makers: { readonly [F in ChatFormat]: (message: ChatMessage) => object } = {
  slack: makeSlackBody,
  discord: makeDiscordBody,
  teams: makeTeamsBody
}

/** Encodes the body of a webhook in a chat's format. It is encoded once, so that every attempt sends the same bytes. */
export const encodeChatBody = (format: ChatFormat, message: ChatMessage): Uint8Array =>
  new TextEncoder().encode(JSON.stringify(makers[format](message)))
