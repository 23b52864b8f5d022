/** A message for Slack's incoming webhooks, in Block Kit (https://docs.slack.dev/reference/block-kit). */
import { type ChatMessage, linkWords, maxChatFacts, maxChatLengths, maxChatParagraphs } from "./ChatMessage.ts"
import { cutText } from "./cutText.ts"

const entities: { readonly [character: string]: string } = { "&": "&amp;", "<": "&lt;", ">": "&gt;" }

/**
 * Escapes text as in "Escaping text" of Slack's manual, and separates a scheme from its address, so that no client
 * turns it into a link.
 */
const escape = (text: string): string =>
  text.replaceAll("://", ":\u2060//").replaceAll(/[&<>]/g, (character) => entities[character]!)

const cut = (text: string, max: number): string => cutText(text, max, escape)

/** `plain_text` contains no markup: no mentions, no links, no emphasis. */
const plain = (text: string) => ({ type: "plain_text", text, emoji: false } as const)

const section = (text: string) => ({ type: "section", text: plain(text) } as const)

/** Builds the body. Only the link is mrkdwn; sov creates its address and text. */
export const makeSlackBody = ({ facts, paragraphs, quote, title, url }: ChatMessage) => {
  const heading = cut(title, maxChatLengths.title)
  return {
    // The text that notifications show
    text: heading,
    parse: "none",
    unfurl_links: false,
    unfurl_media: false,
    blocks: [
      { type: "header", text: plain(heading) } as const,
      ...facts.length === 0 ? [] : [
        {
          type: "section",
          fields: facts.slice(0, maxChatFacts).map(([name, value]) =>
            plain(`${cut(name, maxChatLengths.fact)}: ${cut(value, maxChatLengths.value)}`)
          )
        } as const
      ],
      ...quote === null ? [] : [section(`“${cut(quote, maxChatLengths.quote)}”`)],
      ...paragraphs.slice(0, maxChatParagraphs).map((text) => section(cut(text, maxChatLengths.paragraph))),
      ...url === null ? [] : [
        { type: "section", text: { type: "mrkdwn", text: `<${url}|${linkWords}>`, verbatim: true } } as const
      ]
    ]
  }
}
