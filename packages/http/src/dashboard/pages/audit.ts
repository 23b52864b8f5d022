/** The audit log: who changed what, and when. */
import { type AuditAction, auditActions, type AuditEntry, formatAuditDetail } from "@sov/core/audit"
import { maxNameLength } from "@sov/core/organizations"
import { formatMinute } from "../charts/numbers.ts"
import { attributes, type Html, html } from "../html.ts"
import { visible } from "../visible.ts"
import { filterForm, pager, selectField } from "./fields.ts"
import type { Frame } from "./Frame.ts"
import { layout } from "./layout.ts"
import { dataTable, emptyState } from "./lists.ts"
import { inOrganization } from "./sections.ts"

export interface AuditContent {
  readonly entries: ReadonlyArray<AuditEntry>
  readonly filters: {
    readonly actor?: string | undefined
    readonly action?: AuditAction | undefined
    /** Start of the shown entries, as given in the address. */
    readonly since?: string | undefined
  }
  /** The cursor of this page; undefined for the first page. */
  readonly cursor: string | undefined
  readonly nextCursor: string | null
}

const actorText = ({ kind, name }: AuditEntry["actor"]): string => kind === "key" ? `API key ${name}` : name

export const auditPage = (frame: Frame, { cursor, entries, filters, nextCursor }: AuditContent): Html => {
  const { slug } = frame.organization
  const at = (query: { readonly cursor?: string }) => inOrganization(slug, "/settings/audit", { ...filters, ...query })
  const isFiltered = Object.values(filters).some((one) => one !== undefined)
  return layout(frame, {
    title: "Audit log",
    here: "audit",
    summary: "Changes made by people in the dashboard, API keys and the command line",
    actions: html`<a class="button" href="${inOrganization(slug, "/settings/audit.csv", filters)}">Download CSV</a>`,
    body: html`${
      filterForm(
        inOrganization(slug, "/settings/audit"),
        html`<label>Who<input name="actor" maxlength="${maxNameLength}"${
          attributes({ value: filters.actor })
        }></label>${
          selectField({
            label: "Action",
            name: "action",
            all: "All actions",
            choices: Object.keys(auditActions).map((name) => [name, name]),
            chosen: filters.action ?? null
          })
        }<label>Since<input type="date" name="since"${attributes({ value: filters.since })}></label>`
      )
    }<section class="panel" aria-labelledby="entries"><header><h2 id="entries">Entries</h2></header>${
      entries.length === 0
        ? emptyState("No entries", isFiltered ? "Remove a filter to see more." : "Changes will appear here.")
        : dataTable(
          "entries",
          ["When", "Who", "Action", "What"],
          entries.map(({ action, actor, at: time, detail }) =>
            html`<tr><th scope="row"><time datetime="${time.toISOString()}">${
              formatMinute(time)
            }</time></th><td class="break">${
              visible(actorText(actor))
            }</td><td><code>${action}</code></td><td class="break small">${
              visible(formatAuditDetail(detail))
            }</td></tr>`
          ),
          "stacked"
        )
    }${pager({ at, isFirst: cursor === undefined, nextCursor })}</section>`
  })
}
