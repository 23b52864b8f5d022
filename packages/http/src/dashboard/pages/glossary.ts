/** All words of the glossary on one page. */
import { glossaryEntries } from "@sov/core/common"
import { type Html, html } from "../html.ts"
import type { Theme } from "./Frame.ts"
import { bareLayout } from "./layout.ts"

/** GET /glossary */
export const glossaryPage = (theme: Theme | null): Html =>
  bareLayout(
    "Glossary",
    html`<div class="top"><h1 id="glossary">Glossary</h1></div><section class="panel" aria-labelledby="glossary"><dl class="glossary">${
      glossaryEntries.map(([key, { meaning, term }]) => html`<dt id="${key}">${term}</dt><dd>${meaning}</dd>`)
    }</dl></section>`,
    { theme, wide: true }
  )
