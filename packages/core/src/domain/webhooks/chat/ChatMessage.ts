/** The content of a chat message about an event, before it is formatted for a service. */

/** A chat message. None of its texts is escaped, and names, questions and the quote may be hostile. */
export interface ChatMessage {
  readonly title: string
  /** Pairs of a label and its value. */
  readonly facts: ReadonlyArray<readonly [name: string, value: string]>
  /** An excerpt of an answer; null without one. */
  readonly quote: string | null
  readonly paragraphs: ReadonlyArray<string>
  /** The dashboard's page: an http or https address built by sov. Null if the dashboard has no public address. */
  readonly url: string | null
}

/** The text of the only link in a message. */
export const linkWords = "Open in the dashboard"

/** Maximum length of each part, in UTF-16 units after escaping; every service allows more. */
export const maxChatLengths = { title: 140, fact: 40, value: 300, quote: 500, paragraph: 600 } as const

/** Maximum number of facts, and of paragraphs. */
export const [maxChatFacts, maxChatParagraphs] = [10, 4] as const
