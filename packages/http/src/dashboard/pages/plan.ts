/** Plan and quota: what the plan allows, and how much of it is left this month. */
import type { Plan, Quota } from "@sov/core/organizations"
import { formatCount, formatMinute } from "../charts/numbers.ts"
import { attributes, type Html, html } from "../html.ts"
import type { Frame } from "./Frame.ts"
import { layout } from "./layout.ts"
import { factList } from "./lists.ts"

export interface PlanContent {
  readonly plan: Plan
  readonly quota: Quota
}

export const planPage = (frame: Frame, { plan, quota }: PlanContent): Html =>
  layout(frame, {
    title: "Plan and quota",
    here: "settings",
    summary: "The operator of this installation sets both with sov plan set and sov quota set",
    body:
      html`<div class="grid two"><section class="panel" aria-labelledby="plan"><header><h2 id="plan">Plan</h2></header>${
        factList([
          ["Plan", plan.id],
          [
            "History in the dashboard",
            plan.historyDays === null ? "unlimited" : `the last ${plan.historyDays} days (older answers are kept)`
          ],
          ["REST API and MCP", plan.apiAccess ? "included" : "not included; Pro and above"]
        ])
      }</section><section class="panel" aria-labelledby="quota"><header><h2 id="quota">Manual scans this month</h2></header><p class="total"><strong>${
        formatCount(quota.remaining)
      }</strong> of ${formatCount(quota.limit)} left</p><progress${
        attributes({ max: Math.max(1, quota.limit), value: quota.used, "aria-labelledby": "quota" })
      }></progress>${
        factList([["Used", formatCount(quota.used)], ["Resets on", formatMinute(quota.resetsAt)]])
      }<p class="small">Scheduled scans do not count.</p></section></div>`
  })
