/** Settings of an organization that apply to all its pages, e-mails and reports. */
import type { AuditEntryId } from "@sov/core/common"
import { formatMinute } from "../charts/numbers.ts"
import { type Html, html } from "../html.ts"
import { changedNote, type Faults, formIdField, refusedNote, seenField, zoneField } from "./forms.ts"
import type { Frame } from "./Frame.ts"
import { layout } from "./layout.ts"
import { inOrganization } from "./sections.ts"

export interface OrganizationContent {
  readonly timeZone: string
  readonly typed: string
  readonly faults: Faults<"timeZone">
  /** Whether somebody else has changed the settings since the form was opened. */
  readonly changed: boolean
  readonly formId: AuditEntryId
}

export const organizationPage = (frame: Frame, content: OrganizationContent): Html => {
  const { changed, faults, formId, timeZone, typed } = content
  return layout(frame, {
    title: "Time zone",
    here: "settings",
    body: html`${refusedNote(faults)}${
      changed && changedNote(timeZone)
    }<section class="panel" aria-labelledby="place"><header><h2 id="place">Time zone</h2><p>now ${
      formatMinute(frame.at)
    }</p></header><p>Pages, e-mails and reports show times in it. A schedule has its own. The REST API, the tools and CSV stay in UTC, and periods of whole days count from midnight in UTC.</p><form class="fields" method="post" action="${
      inOrganization(frame.organization.slug, "/settings/organization")
    }">${formIdField(formId)}${seenField(timeZone)}${
      zoneField(typed, faults.timeZone)
    }<div class="actions"><button>Save</button></div></form></section>`
  })
}
