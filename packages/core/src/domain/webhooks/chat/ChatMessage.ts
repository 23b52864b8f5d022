/** What a chat says of an event, before it is written in the format of a service. */

/** Nothing in it is escaped, and names, questions and the quote may be hostile. */
export interface ChatMessage {
  readonly title: string
  /** Names with their values. */
  readonly facts: ReadonlyArray<readonly [name: string, value: string]>
  /** A part of an answer; null if absent. */
  readonly quote: string | null
  readonly paragraphs: ReadonlyArray<string>
  /**
   * The page of the dashboard: an http or https address that is made here. Null where the dashboard has no public one.
   */
  readonly url: string | null
}

/** The words of the only link in a message. */
export const linkWords = "Open in the dashboard"

/** How long each part may become, in UTF-16 units as it is sent; the limits of every service are larger. */
export const maxChatLengths = { title: 140, fact: 40, value: 300, quote: 500, paragraph: 600 } as const

/** The limit of facts, of paragraphs. */
export const [maxChatFacts, maxChatParagraphs] = [10, 4] as const
