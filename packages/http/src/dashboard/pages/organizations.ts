/** All organizations of the installation, for its operator: plan, state, and usage this month. */
import type { AuditEntryId } from "@sov/core/common"
import { maxSuspensionReason, type UsageReport } from "@sov/core/organizations"
import { type Address, to } from "../Address.ts"
import { formatCount, formatDate, formatDollars, formatMinute } from "../charts/numbers.ts"
import { type Fragment, type Html, html } from "../html.ts"
import { visible } from "../visible.ts"
import { formIdField } from "./forms.ts"
import type { Theme } from "./Frame.ts"
import { bareLayout } from "./layout.ts"
import { emptyState, hidden, numeric, wideNumeric } from "./lists.ts"
import { declareList, listTable, type ListViewOf } from "./listView.ts"
import { inOrganization } from "./sections.ts"

type Row = UsageReport["organizations"][number]

const sumOf = ({ platforms }: Row, member: "answers" | "calls" | "costUsd" | "unpriced"): number =>
  platforms.reduce((total, one) => total + one[member], 0)

const stateOf = ({ organization: { suspendedAt } }: Row) => suspendedAt === null ? "active" : "suspended"

/** The list of organizations. */
export const organizationList = declareList({
  text: (row: Row) => [row.organization.name, row.organization.slug, row.organization.plan, stateOf(row)].join(" "),
  by: {
    name: ({ organization }) => organization.name,
    plan: ({ organization }) => organization.plan,
    state: stateOf,
    scans: ({ scans }) => scans,
    calls: (row) => sumOf(row, "calls"),
    answers: (row) => sumOf(row, "answers"),
    cost: (row) => sumOf(row, "costUsd")
  },
  usual: "name",
  perPage: 100
})

export interface OrganizationsContent {
  readonly view: ListViewOf<typeof organizationList>
  readonly usage: UsageReport
  /** Slugs of the organizations whose pages the operator may open. */
  readonly opened: ReadonlySet<string>
  /** Deletion dates of organizations whose deletion was requested. */
  readonly dueAt: ReadonlyMap<string, Date>
  readonly formId: AuditEntryId
  /** A message about what a form did; null = no form was sent. */
  readonly done: string | null
  readonly theme: Theme | null
  readonly at: Date
}

/** The address that a form of an organization is sent to. */
const actAddress = (slug: string, act: "suspend" | "resume"): Address => to(`/organizations/${slug}/${act}`)

const stateCell = ({ organization: { id, suspendedAt, suspendedFor } }: Row, { dueAt }: OrganizationsContent): Html => {
  const due = dueAt.get(id)
  return html`${
    suspendedAt === null
      ? html`<span class="pill good">active</span>`
      : html`<span class="pill warn">suspended</span> <small>since ${formatDate(suspendedAt)}${
        suspendedFor !== null && html`: ${visible(suspendedFor)}`
      }</small>`
  }${due !== undefined && html`<br><small>deleted on ${formatDate(due)}</small>`}`
}

const limitsCell = ({ organization: { monthlyBudgetUsd, requestRate } }: Row): Fragment =>
  monthlyBudgetUsd === null && requestRate === null ? null : html`<br><small>${
    [
      ...requestRate === null ? [] : [`${formatCount(requestRate)} requests a minute`],
      ...monthlyBudgetUsd === null ? [] : [`${formatDollars(monthlyBudgetUsd)} a month`]
    ].join(", ")
  }</small>`

const actForm = ({ organization: { name, slug, suspendedAt } }: Row, { formId }: OrganizationsContent): Html =>
  suspendedAt === null
    ? html`<details class="act"><summary>Suspend<span class="hidden"> ${
      visible(name)
    }</span></summary><form method="post" action="${actAddress(slug, "suspend")}">${
      formIdField(formId)
    }<label>Reason, as ${visible(name)} is told <input name="reason" maxlength="${
      String(maxSuspensionReason)
    }"></label><p class="small">Its results can be read, and no scan starts.</p><button>Suspend</button></form></details>`
    : html`<form method="post" action="${actAddress(slug, "resume")}">${
      formIdField(formId)
    }<button>Resume<span class="hidden"> ${visible(name)}</span></button></form>`

const organizationRow = (row: Row, content: OrganizationsContent): Html => {
  const { organization: { name, plan, slug }, scans } = row
  const title = content.opened.has(slug)
    ? html`<a href="${inOrganization(slug, "")}">${visible(name)}</a>`
    : visible(name)
  return html`<tr><th scope="row">${title}<br><small>${slug}</small></th><td>${plan}${limitsCell(row)}</td><td>${
    stateCell(row, content)
  }</td><td class="num" data-name="scans">${formatCount(scans)}</td><td class="num wide">${
    formatCount(sumOf(row, "calls"))
  }</td><td class="num" data-name="answers">${formatCount(sumOf(row, "answers"))}</td><td class="num">${
    formatDollars(sumOf(row, "costUsd"))
  }${sumOf(row, "unpriced") > 0 && html`<br><small>or more</small>`}</td><td>${actForm(row, content)}</td></tr>`
}

export const organizationsPage = (content: OrganizationsContent): Html => {
  const { at, done, opened, theme, usage: { month, organizations } } = content
  const closed = organizations.filter(({ organization }) => !opened.has(organization.slug)).length
  return bareLayout(
    "All organizations",
    html`<div class="top"><div><h1 id="organizations">All organizations</h1><p>${
      formatCount(organizations.length)
    } on this installation, with what they used in ${month}</p></div><span class="actions"><a class="button" href="${
      to("/portfolio")
    }">Your organizations</a><a class="button" href="${to("/setup")}">New organization</a><a class="button" href="${
      to("/organizations/usage.csv")
    }">Download usage</a></span></div>${
      done !== null && html`<p class="note" role="status">${done}</p>`
    }<section class="panel" aria-labelledby="organizations">${
      organizations.length === 0
        ? emptyState("No organization yet", "Set up the first one.")
        : listTable({
          labelledBy: "organizations",
          things: "organizations",
          list: organizationList,
          rows: organizations,
          view: content.view,
          at: (query) => to("/organizations", { ...query }),
          columns: (head) => [
            head("name", { title: "Organization" }, "ascending"),
            head("plan", { title: "Plan" }, "ascending"),
            head("state", { title: "State" }),
            head("scans", numeric("Scans")),
            head("calls", wideNumeric("Calls")),
            head("answers", numeric("Answers")),
            head("cost", numeric("Cost")),
            hidden("Act")
          ],
          row: (row) => organizationRow(row, content)
        })
    }</section><footer class="foot">Simulated and imported answers are not counted. ${
      closed > 0 && "Run sov dashboard again to open the organizations that are no links. "
    }As of <time datetime="${at.toISOString()}">${formatMinute(at)}</time> · <a href="${
      to("/account")
    }">Account</a></footer>`,
    { theme, wide: true }
  )
}
