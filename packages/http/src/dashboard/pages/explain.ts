/** Explains words of the glossary: a button next to a word opens its meaning, in plain HTML without a script. */
import { glossary, glossaryEntries, type GlossaryKey } from "@sov/core/common"
import { to } from "../Address.ts"
import { attributes, type Fragment, type Html, html, render } from "../html.ts"

const idOf = (key: GlossaryKey): string => `about-${key}`

/** The button that opens the meaning of a word. */
export const explainButton = (key: GlossaryKey): Html =>
  html`<button class="about" type="button" aria-label="What is “${glossary[key].term}”?"${
    attributes({ popovertarget: idOf(key) })
  }></button>`

/** The page, followed by the meanings that its buttons open, each word only once. */
export const withMeanings = (page: Html): Fragment => {
  const text = render(page)
  return [
    page,
    glossaryEntries.filter(([key]) => text.includes(`popovertarget="${idOf(key)}"`)).map(([key, { meaning, term }]) =>
      html`<div class="meaning" popover id="${idOf(key)}"><b>${term}</b> ${meaning} <a href="${
        to("/glossary")
      }">All words</a></div>`
    )
  ]
}
