/** The error page: what happened, what to do, and the request id to look up in the log. */
import { to } from "../Address.ts"
import { type Html, html } from "../html.ts"
import { visible } from "../visible.ts"
import { hiddenField } from "./fields.ts"
import type { Frame, Theme } from "./Frame.ts"
import { bareLayout, layout } from "./layout.ts"
import { inOrganization } from "./sections.ts"

/** Title and sentence for each status. */
const words: { readonly [status: number]: readonly [title: string, sentence: string] } = {
  400: ["Invalid request", "The address or the form is incomplete or invalid."],
  401: [
    "Your session has ended",
    "Nothing was saved yet. Sign in in another tab, then come back to this page and send your input again."
  ],
  403: ["Not allowed", "Your role in this organization does not allow this. An owner can change it."],
  404: ["Page not found", "This page does not exist, or you do not have access to it."],
  405: ["Not possible here", "This address does not support this method."],
  409: ["Changed by someone else", "Someone else changed this at the same time. Reload the page and try again."],
  410: ["This link no longer works", "This link has expired or was already used. Ask for a new one."],
  413: ["Too large", "The data sent is too large."],
  421: ["Not this server", "This server does not answer for that name."],
  422: ["Not accepted", "The input was not accepted."],
  429: ["Too many attempts", "Too many attempts from your network. Wait a minute and try again."],
  500: [
    "Something went wrong",
    "The server could not create this page. Its log has the reason under the request ID below."
  ],
  503: ["Please try again", "The database is not responding. Nothing is lost; try again."]
}

/** The fields of a form, kept so that people need not type them again. */
export interface KeptForm {
  readonly path: `/${string}`
  readonly fields: ReadonlyArray<readonly [name: string, value: string]>
}

/**
 * Offers to send the form again. A form with an id takes effect only once, even if only the first response was lost.
 */
const resend = ({ fields, path }: KeptForm): Html =>
  html`<form method="post" action="${to(path)}">${
    fields.map(([name, value]) => hiddenField(name, value))
  }<p>Your input is kept on this page. ${
    fields.some(([name]) => name === "form_id") &&
    "Sending it again is safe: it takes effect once."
  }</p><div class="actions"><button class="primary">Send again</button></div></form>`

export interface ErrorContent {
  readonly status: number
  /** Text to show instead of the default sentence for the status. */
  readonly words?: string | null
  readonly requestId: string
  readonly theme?: Theme | null
  /** Frame of the organization in whose pages the error occurred; null if the visitor is not a member. */
  readonly frame?: Frame | null
  /** Null = there is no form to send again. */
  readonly kept?: KeptForm | null
}

export const errorPage = (
  { frame = null, kept = null, requestId, status, theme = null, words: given = null }: ErrorContent
): Html => {
  const [title, sentence] = words[status] ?? (status < 500 ? words[400]! : words[500]!)
  const said = html`<p>${visible(given ?? sentence)}</p>${
    status === 401 && html`<p><a class="button primary" href="${to("/login")}" target="_blank">Sign in</a></p>`
  }<p class="small">${status} · request ID <code>${requestId}</code></p>${kept !== null && resend(kept)}`
  if (frame === null) {
    const body = html`<h1>${title}</h1>${said}<p><a class="button" href="${to("/")}">Back to start</a></p>`
    return bareLayout(title, body, { theme })
  }
  const overview = inOrganization(frame.organization.slug, "")
  return layout(frame, {
    title,
    here: null,
    body:
      html`<section class="panel">${said}<div class="actions"><a class="button" href="${overview}">Go to overview</a></div></section>`
  })
}
