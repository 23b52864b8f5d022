/** The audit log: who changed what, and when. */
import { type AuditAction, auditActions, type AuditEntry, formatAuditDetail } from "@sov/core/audit"
import { maxNameLength } from "@sov/core/organizations"
import { formatMinute } from "../charts/numbers.ts"
import { attributes, type Html, html } from "../html.ts"
import { visible } from "../visible.ts"
import { filterForm, selectField } from "./fields.ts"
import type { Frame } from "./Frame.ts"
import { layout } from "./layout.ts"
import { dataTable, emptyState } from "./lists.ts"
import {
  type CursorListOf,
  cursorListPager,
  declareList,
  type ListQuery,
  searchField,
  sortField,
  sortHeads
} from "./listView.ts"
import { inOrganization } from "./sections.ts"

const actorText = ({ kind, name }: AuditEntry["actor"]): string => kind === "key" ? `API key ${name}` : name

/** The list of entries. */
export const auditList = declareList({
  text: ({ action, actor, detail }: AuditEntry) => [actorText(actor), action, formatAuditDetail(detail)].join(" "),
  by: {
    when: ({ at }) => at.getTime(),
    who: ({ actor }) => actorText(actor),
    action: ({ action }) => action
  },
  usual: "-when",
  perPage: 50
})

export interface AuditContent extends CursorListOf<typeof auditList> {
  readonly filters: {
    readonly actor?: string | undefined
    readonly action?: AuditAction | undefined
    /** Start of the shown entries, as given in the address. */
    readonly since?: string | undefined
  }
}

export const auditPage = (frame: Frame, content: AuditContent): Html => {
  const { filters, rows, view, viewed } = content
  const { slug } = frame.organization
  const at = ({ q, ...query }: ListQuery & { readonly cursor?: string }) =>
    inOrganization(slug, "/settings/audit", { ...filters, q: q || undefined, ...query })
  const head = sortHeads(view, at)
  const isFiltered = view.q !== "" || Object.values(filters).some((one) => one !== undefined)
  return layout(frame, {
    title: "Audit log",
    here: "audit",
    summary: "Changes made by people in the dashboard, API keys and the command line",
    actions: html`<a class="button" href="${inOrganization(slug, "/settings/audit.csv", filters)}">Download CSV</a>`,
    body: html`${
      filterForm(
        inOrganization(slug, "/settings/audit"),
        html`${searchField("Search entries", view)}<label>Who<input name="actor" maxlength="${maxNameLength}"${
          attributes({ value: filters.actor })
        }></label>${
          selectField({
            label: "Action",
            name: "action",
            all: "All actions",
            choices: Object.keys(auditActions).map((name) => [name, name]),
            chosen: filters.action ?? null
          })
        }<label>Since<input type="date" name="since"${attributes({ value: filters.since })}></label>${
          viewed !== null && sortField(view)
        }`
      )
    }<section class="panel" aria-labelledby="entries"><header><h2 id="entries">Entries</h2></header>${
      rows.length === 0
        ? emptyState("No entries", isFiltered ? "Remove a filter to see more." : "Changes will appear here.")
        : dataTable(
          "entries",
          [
            head("when", { title: "When" }),
            head("who", { title: "Who" }, "ascending"),
            head("action", { title: "Action" }, "ascending"),
            "What"
          ],
          rows.map(({ action, actor, at: time, detail }) =>
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
    }${cursorListPager("entries", content, at)}</section>`
  })
}
