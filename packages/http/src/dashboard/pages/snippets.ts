/** Texts to copy: commands, configurations and programs. */
import { isLoopback } from "@sov/core/common"
import { type Fragment, type Html, html } from "../html.ts"

interface Snippet {
  /** Id of the element, unique on the page. */
  readonly id: string
  readonly title: string
  /** Where to paste the text, in words. */
  readonly place?: Fragment
  readonly text: string
}

/** A text with a button that copies it. */
export const copyBox = (id: string, text: string): Html =>
  html`<pre class="copy" tabindex="0"><code id="${id}">${text}</code></pre><button type="button" data-copy="${id}">Copy</button>`

/** A list of texts; only one is open at a time. */
export const snippetList = (snippets: ReadonlyArray<Snippet>): Html =>
  html`<div class="snippets">${
    snippets.map(({ id, place, text, title }) =>
      html`<details name="snippet"><summary>${title}</summary>${
        place !== undefined && html`<p class="small">${place}</p>`
      }${copyBox(id, text)}</details>`
    )
  }</div>`

/** For a link to a server whose address is that of this computer. */
export const thisComputerNote = (url: string): Fragment =>
  isLoopback(new URL(url).hostname) &&
  html`<p class="small">This link works on this computer only. For other computers, the operator needs to set the server's public address: SOV_PUBLIC_URL.</p>`
