/**
 * A message for Discord's webhooks, as one embed
 * (https://discord.com/developers/docs/resources/webhook#execute-webhook).
 */
import { type ChatMessage, linkWords, maxChatFacts, maxChatLengths, maxChatParagraphs } from "./ChatMessage.ts"
import { cutText } from "./cutText.ts"

/**
 * Escapes Markdown: Discord accepts a backslash before any mark. The colon is also escaped, so that an address does not
 * become a link or a name an emoji.
 */
const escape = (text: string): string => text.replaceAll(/[\\`*_~|<>[\]()#+\-.!@:/]/g, "\\$&")

const cut = (text: string, max: number): string => cutText(text, max, escape)

/** Builds the body. `allowed_mentions` makes Discord notify nobody, whatever the text contains. */
export const makeDiscordBody = ({ facts, paragraphs, quote, title, url }: ChatMessage) => {
  const parts = [
    ...quote === null ? [] : [`“${cut(quote, maxChatLengths.quote)}”`],
    ...paragraphs.slice(0, maxChatParagraphs).map((text) => cut(text, maxChatLengths.paragraph)),
    ...url === null ? [] : [`[${linkWords}](${url})`]
  ]
  return {
    allowed_mentions: { parse: [] },
    embeds: [{
      title: cut(title, maxChatLengths.title),
      ...parts.length === 0 ? {} : { description: parts.join("\n\n") },
      fields: facts.slice(0, maxChatFacts).map(([name, value]) => ({
        name: cut(name, maxChatLengths.fact),
        value: cut(value, maxChatLengths.value),
        inline: true
      }))
    }]
  }
}
