/** The page of an error: what happened, what to do, and the id under which the log has it. */
import { to } from "../Address.ts"
import { type Html, html } from "../html.ts"
import { visible } from "../visible.ts"
import { hiddenField } from "./fields.ts"
import type { Frame, Theme } from "./Frame.ts"
import { bareLayout, layout } from "./layout.ts"
import { inOrganization } from "./sections.ts"

/** Title and sentence by status. */
const words: { readonly [status: number]: readonly [title: string, sentence: string] } = {
  400: ["This cannot be read", "The address or the form is not complete, or not in its right form."],
  403: ["Not allowed", "Your role in this organization does not allow this. An owner can change it."],
  404: ["No such page", "There is nothing at this address, or it is not yours to see."],
  405: ["Not possible here", "This address can be looked at, but takes nothing; or the other way round."],
  409: ["It has changed", "Someone else changed this at the same time. Look again and try once more."],
  410: ["This link does not work any more", "This link was used or is too old. Ask for a new one."],
  413: ["Too large", "What was sent is too large."],
  421: ["Not this server", "This server does not answer for that name."],
  422: ["Not accepted", "What was entered cannot be accepted."],
  429: ["Too many tries", "Too many tries from your network. Wait a minute and try again."],
  500: ["Something failed", "The server could not make this page. Its log says why, under the request id below."],
  503: ["Please try again", "The database does not answer. Nothing is lost; try again."]
}

/** What a form has sent, so that nobody types it again. */
export interface KeptForm {
  readonly path: `/${string}`
  readonly fields: ReadonlyArray<readonly [name: string, value: string]>
}

/** A form that carries an id acts once, also where only the answer was lost. */
const resend = ({ fields, path }: KeptForm): Html =>
  html`<form method="post" action="${to(path)}">${
    fields.map(([name, value]) => hiddenField(name, value))
  }<p>What you entered is kept in this page. ${
    fields.some(([name]) => name === "form_id") &&
    "Sent again it is done once, also where it was done and only the answer was lost."
  }</p><div class="actions"><button class="primary">Send it again</button></div></form>`

export interface ErrorContent {
  readonly status: number
  /** Another sentence than that of the status. */
  readonly words?: string | null
  readonly requestId: string
  readonly theme?: Theme | null
  /** Of the organization in whose pages it happened, for a member of it. */
  readonly frame?: Frame | null
  /** Null = there is no form to send again. */
  readonly kept?: KeptForm | null
}

export const errorPage = (
  { frame = null, kept = null, requestId, status, theme = null, words: given = null }: ErrorContent
): Html => {
  const [title, sentence] = words[status] ?? (status < 500 ? words[400]! : words[500]!)
  const said = html`<p>${
    visible(given ?? sentence)
  }</p><p class="small">${status} · request <code>${requestId}</code></p>${kept !== null && resend(kept)}`
  if (frame === null) {
    const body = html`<h1>${title}</h1>${said}<p><a class="button" href="${to("/")}">Go to the first page</a></p>`
    return bareLayout(title, body, { theme })
  }
  const overview = inOrganization(frame.organization.slug, "")
  return layout(frame, {
    title,
    here: null,
    body:
      html`<section class="panel">${said}<div class="actions"><a class="button" href="${overview}">Go to the overview</a></div></section>`
  })
}
