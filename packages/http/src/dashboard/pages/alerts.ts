/** The list of raised alerts, newest first. */
import { type Alert, type AlertRuleName, alertRuleNames, isConfirmed, type ListedAlert } from "@sov/core/alerts"
import type { MailStatus } from "@sov/core/mail"
import { atLeast } from "@sov/core/people"
import { formatAskedPart } from "@sov/core/webhooks"
import { formatMinute, nothing } from "../charts/numbers.ts"
import { type Fragment, type Html, html } from "../html.ts"
import { visible } from "../visible.ts"
import { filterForm, selectField } from "./fields.ts"
import type { Frame } from "./Frame.ts"
import { layout } from "./layout.ts"
import { dataTable, emptyState, wideColumn } from "./lists.ts"
import {
  type CursorListOf,
  cursorListPager,
  declareList,
  type ListQuery,
  searchField,
  sortField,
  sortHeads
} from "./listView.ts"
import { inQuestions } from "./scanWords.ts"
import { inOrganization } from "./sections.ts"
import { alertTitles, describeAlert } from "./words.ts"

/** The list of alerts; what is more than noise has the larger certainty. */
export const alertList = declareList({
  text: ({ alert }: ListedAlert) => `${alertTitles[alert.rule]} ${describeAlert(alert)}`,
  by: {
    when: ({ alert }) => alert.createdAt.getTime(),
    alert: ({ alert }) => alertTitles[alert.rule],
    certainty: ({ alert }) => Number(isConfirmed(alert))
  },
  usual: "-when",
  perPage: 50
})

export interface AlertsContent extends CursorListOf<typeof alertList> {
  readonly rule: AlertRuleName | undefined
}

const mailStates = ["sent", "queued", "failed", "dropped"] as const

/** The number of e-mails by state, such as `2 sent, 1 failed`. */
export const describeMails = (emails: ReadonlyArray<Pick<MailStatus, "state">>): string =>
  mailStates.flatMap((state) => {
    const count = emails.filter((one) => one.state === state).length
    return count === 0 ? [] : [`${count} ${state}`]
  }).join(", ")

/** Marks next to an alert: the result of the noise gate, and whether the numbers are simulated. */
export const alertMarks = (alert: Alert): Fragment => [
  isConfirmed(alert)
    ? html`<span class="pill on">more than noise</span>`
    : html`<span class="pill">may be noise</span>`,
  alert.data.simulated === true && html` <span class="tag">Simulated</span>`,
  alert.data.asked !== undefined &&
  html` <span class="tag">Asked only ${inQuestions(formatAskedPart(alert.data.asked))}</span>`
]

const empty = ({ organization: { slug }, role, since }: Frame, { rule, view }: AlertsContent): Html =>
  emptyState(
    "No alerts",
    view.q !== ""
      ? "Search for another word, or remove the filter."
      : rule !== undefined
      ? "None from this rule. Remove the filter to see other alerts."
      : since === null
      ? "Get notified when your share falls, a new answer names you, or a competitor moves ahead."
      : "None in the period that your plan shows.",
    atLeast(role, "member")
      ? html`<a class="button" href="${inOrganization(slug, "/settings/alerts")}">Set up alerts</a>`
      : undefined
  )

export const alertsPage = (frame: Frame, content: AlertsContent): Html => {
  const { rows, rule, view, viewed } = content
  const { slug } = frame.organization
  const at = ({ q, ...query }: ListQuery & { readonly cursor?: string }) =>
    inOrganization(slug, "/alerts", { rule, q: q || undefined, ...query })
  const head = sortHeads(view, at)
  return layout(frame, {
    title: "Alerts",
    here: "alerts",
    actions: html`<a class="button" href="${inOrganization(slug, "/alerts.csv", { rule })}">Download CSV</a>`,
    body: html`${
      filterForm(
        inOrganization(slug, "/alerts"),
        html`${searchField("Search alerts", view)}${
          selectField({
            label: "Rule",
            name: "rule",
            all: "All rules",
            choices: alertRuleNames.map((name) => [name, alertTitles[name]]),
            chosen: rule ?? null
          })
        }${viewed !== null && sortField(view)}`
      )
    }<section class="panel" aria-labelledby="raised"><header><h2 id="raised">All alerts</h2></header>${
      rows.length === 0
        ? empty(frame, content)
        : dataTable(
          "raised",
          [
            head("when", { title: "When" }),
            head("alert", { title: "Alert" }, "ascending"),
            head("certainty", { title: "Certainty", about: "certainty" }),
            wideColumn("E-mails")
          ],
          rows.map(({ alert, emails }) =>
            html`<tr><th scope="row"><time datetime="${alert.createdAt.toISOString()}">${
              formatMinute(alert.createdAt)
            }</time></th><td><a href="${inOrganization(slug, `/alerts/${alert.id}`)}">${
              alertTitles[alert.rule]
            }</a><br><small>${visible(describeAlert(alert))}</small></td><td>${
              alertMarks(alert)
            }</td><td class="wide">${emails.length === 0 ? nothing : describeMails(emails)}</td></tr>`
          ),
          "stacked"
        )
    }${cursorListPager("alerts", content, at)}</section>`
  })
}
