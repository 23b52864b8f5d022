/** The text of an answer with its mentioned names marked. */
import type { NamedMention } from "@sov/core/archive"
import { type Fragment, html } from "../html.ts"
import { visible } from "../visible.ts"

/** The first `until` UTF-16 code units of the text, or one fewer to avoid splitting a character. */
export const truncateText = (text: string, until: number): string => {
  if (text.length <= until) return text
  const isHigh = (text.charCodeAt(until - 1) & 0xfc00) === 0xd800
  return text.slice(0, isHigh ? until - 1 : until)
}

/**
 * The text with its mentions marked; those of the brand have the class `mine`. A mention that overlaps the previous one
 * or extends beyond the text is not marked.
 */
export const markNames = (text: string, mentions: ReadonlyArray<NamedMention>): Fragment => {
  const parts: Array<Fragment> = []
  let at = 0
  for (const { end, start, who } of mentions) {
    if (start < at || end > text.length) continue
    const name = visible(text.slice(start, end))
    parts.push(
      visible(text.slice(at, start)),
      who === "brand" ? html`<mark class="mine">${name}</mark>` : html`<mark>${name}</mark>`
    )
    at = end
  }
  return [...parts, visible(text.slice(at))]
}
