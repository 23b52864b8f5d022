/**
 * A message for a workflow of Microsoft Teams ("When a Teams webhook request is received"): one Adaptive Card
 * (https://adaptivecards.io/explorer). Texts are runs, which contain no markup; text blocks would interpret Markdown.
 */
import { type ChatMessage, linkWords, maxChatFacts, maxChatLengths, maxChatParagraphs } from "./ChatMessage.ts"
import { cutText } from "./cutText.ts"

/**
 * Separates schemes from their addresses, and breaks up the braces of dates that cards localize (`{{DATE(…)}}`) and the
 * brackets of mentions (`<at>`).
 */
const escape = (text: string): string =>
  text.replaceAll("://", ":\u2060//").replaceAll(/\{(?=\{)|\$(?=\{)|<(?=\/?at\b)/gi, "$&\u2060")

const cut = (text: string, max: number): string => cutText(text, max, escape)

const run = (
  text: string,
  looks: { readonly weight?: "Bolder"; readonly size?: "Large"; readonly isSubtle?: true } = {}
) => ({ type: "TextRun", text, ...looks }) as const

const paragraph = (inlines: ReadonlyArray<ReturnType<typeof run>>) => ({ type: "RichTextBlock", inlines }) as const

/** Builds the body. The card requires version 1.2 of the format, which every Teams client supports. */
export const makeTeamsBody = ({ facts, paragraphs, quote, title, url }: ChatMessage) => ({
  type: "message",
  attachments: [{
    contentType: "application/vnd.microsoft.card.adaptive",
    contentUrl: null,
    content: {
      $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
      type: "AdaptiveCard",
      version: "1.2",
      body: [
        paragraph([run(cut(title, maxChatLengths.title), { weight: "Bolder", size: "Large" })]),
        ...facts.slice(0, maxChatFacts).map(([name, value]) =>
          paragraph([
            run(`${cut(name, maxChatLengths.fact)}: `, { isSubtle: true }),
            run(cut(value, maxChatLengths.value), { weight: "Bolder" })
          ])
        ),
        ...quote === null ? [] : [paragraph([run(`“${cut(quote, maxChatLengths.quote)}”`)])],
        ...paragraphs.slice(0, maxChatParagraphs).map((text) => paragraph([run(cut(text, maxChatLengths.paragraph))]))
      ],
      ...url === null ? {} : { actions: [{ type: "Action.OpenUrl", title: linkWords, url }] }
    }
  }]
})
