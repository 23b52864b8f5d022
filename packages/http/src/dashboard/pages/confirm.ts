/** Asks for confirmation before an action that cannot easily be undone: states the consequences and has one button. */
import type { AuditEntryId } from "@sov/core/common"
import { type Fragment, type Html, html } from "../html.ts"
import { formIdField } from "./forms.ts"
import type { Frame } from "./Frame.ts"
import { layout } from "./layout.ts"
import { inOrganization, type SectionId } from "./sections.ts"

interface Confirmation {
  readonly title: string
  readonly here: SectionId
  readonly simulated?: boolean
  /** The page of the organization to go back to, and its name. */
  readonly back: { readonly path: `/${string}`; readonly name: Fragment }
  /** The path within the organization that the form is sent to. */
  readonly action: `/${string}`
  readonly formId: AuditEntryId
  /** Content above the panel. */
  readonly before?: Fragment
  /** Content above the consequences, such as a note that somebody else has changed something. */
  readonly note?: Fragment
  readonly consequences: ReadonlyArray<Fragment>
  readonly fields?: Fragment
  readonly button: Html
}

export const confirmPage = (
  frame: Frame,
  { action, back, before, button, consequences, fields, formId, note, ...page }: Confirmation
): Html => {
  const { slug } = frame.organization
  const link = inOrganization(slug, back.path)
  return layout(frame, {
    ...page,
    summary: html`<a href="${link}">${back.name}</a>`,
    body:
      html`<div class="grid">${before}<section class="panel" aria-labelledby="what"><header><h2 id="what">What will happen</h2></header>${note}<ul class="bullets">${
        consequences.map((one) => html`<li>${one}</li>`)
      }</ul><form class="fields" method="post" action="${inOrganization(slug, action)}">${
        formIdField(formId)
      }${fields}<div class="actions">${button}<a class="button" href="${link}">Cancel</a></div></form></section></div>`
  })
}
