/** One alert rule: how it is set, what chance alone raises, and what it would have raised on the last scans. */
import { type AlertRule, type AlertRuleName, type AlertRulePreview, falseAlarms } from "@sov/core/alerts"
import { type AuditEntryId, pluralized } from "@sov/core/common"
import { formatDate, formatMinute } from "../charts/numbers.ts"
import { attributes, type Fragment, type Html, html } from "../html.ts"
import { visible } from "../visible.ts"
import { ruleSetting, ruleWords } from "./alertSettings.ts"
import { changedNote, choiceField, type Faults, formIdField, refusedNote, seenField, textField } from "./forms.ts"
import type { Frame } from "./Frame.ts"
import { layout } from "./layout.ts"
import { dataTable } from "./lists.ts"
import { inOrganization } from "./sections.ts"
import { alertTitles, describeAlert } from "./words.ts"

/** A rule as a form has it. */
export interface TypedRule {
  readonly enabled: string
  readonly threshold: string
  readonly sensitivity: string
}

export const typedRule = ({ enabled, sensitivity, threshold }: AlertRule): TypedRule => ({
  enabled: enabled ? "on" : "off",
  threshold: threshold === null ? "" : String(threshold),
  sensitivity
})

export interface AlertRuleContent {
  /** As it is set now. */
  readonly rule: AlertRule
  readonly typed: TypedRule
  readonly faults: Faults<keyof TypedRule>
  /** Somebody else has set it meanwhile. */
  readonly changed: boolean
  /** What was typed, over the last scans; null where that is no rule yet, `late` where it was not waited for. */
  readonly preview: AlertRulePreview | "late" | null
  readonly formId: AuditEntryId
}

const sensitivityWords: { readonly [rule in AlertRuleName]: readonly [immediate: string, confirmed: string] } = {
  sov_drop: ["immediate: each time the threshold is crossed", "confirmed: where noise is no good explanation"],
  new_mention: [
    "immediate: the last 5 answers to the question on the platform did not name you",
    "confirmed: no answer to it there ever did"
  ],
  competitor_overtake: ["immediate: each time one is ahead", "confirmed: where noise is no good explanation"],
  new_competitor: [
    "immediate: each name that is new in at least 3 cells",
    "confirmed: where a second scan names it, or more cells than chance explains"
  ]
}

const ruleForm = (frame: Frame, { changed, faults, formId, rule, typed }: AlertRuleContent): Html => {
  const [immediate, confirmed] = sensitivityWords[rule.rule]
  return html`<section class="panel" aria-labelledby="setting"><header><h2 id="setting">Setting</h2><p>now ${
    ruleSetting(rule)
  }</p></header>${changed && changedNote(ruleSetting(rule))}${
    refusedNote(faults)
  }<form class="fields" method="post" action="${
    inOrganization(frame.organization.slug, `/settings/alerts/${rule.rule}`)
  }">${formIdField(formId)}${seenField(ruleSetting(rule))}${
    choiceField({
      type: "radio",
      name: "enabled",
      label: "The rule is",
      choices: [["on", "on"], ["off", "off"]],
      chosen: [typed.enabled],
      fault: faults.enabled
    })
  }${
    rule.rule === "sov_drop" && textField({
      name: "threshold",
      label: "Threshold: share of voice in %",
      value: typed.threshold,
      fault: faults.threshold,
      hint: "Above 0, at most 100; a share exactly at it is not below."
    })
  }${
    choiceField({
      type: "radio",
      name: "sensitivity",
      label: "Sensitivity",
      choices: [["immediate", immediate], ["confirmed", confirmed]],
      chosen: [typed.sensitivity],
      fault: faults.sensitivity
    })
  }<div class="actions"><button name="step" value="preview">Preview</button><button class="primary" name="step" value="save">Save</button><a class="button" href="${
    inOrganization(frame.organization.slug, "/settings/alerts")
  }">Cancel</a></div></form><footer>A changed rule begins anew: it forgets what it remembers, and starts from what the scan before says.</footer></section>`
}

const alarmsPanel = ({ rule: { rule } }: AlertRuleContent): Html =>
  html`<section class="panel" aria-labelledby="alarms"><header><h2 id="alarms">False alarms</h2><p>${
    falseAlarms[rule].length > 0 && "alerts in 30 scans in which nothing changes"
  }</p></header>${
    falseAlarms[rule].length === 0
      ? html`<p>A first mention is no noise, so it has no false alarms that could be counted. Confirmed is quieter: a mention that went away and comes back raises nothing.</p>`
      : dataTable(
        "alarms",
        [{ title: "Situation" }, { title: "immediate", class: "num" }, { title: "confirmed", class: "num" }],
        falseAlarms[rule].map(({ confirmed, immediate, situation }) =>
          html`<tr><th scope="row">${situation}</th><td class="num">${immediate}</td><td class="num">${confirmed}</td></tr>`
        )
      )
  }${
    falseAlarms[rule].length > 0 &&
    html`<footer>Mean of 200 simulated histories with 10 questions on 5 platforms. Confirmed is recommended.</footer>`
  }</section>`

const joinWords = (words: ReadonlyArray<string>): string =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)!}`

/** `Your last 12 scans would have alerted on 3 Oct 2026 and 17 Oct 2026.` */
const describePreview = ({ scans }: AlertRulePreview): string => {
  if (scans.length === 0) return "No scan has completed yet, so there is nothing to try the rule on."
  const judged = scans.filter(({ measured }) => measured)
  if (judged.length === 0) {
    return "The last scans are measured with other names or rules, so nothing can be said of them."
  }
  const alerting = judged.filter(({ alerts }) => alerts.length > 0)
  const days = [...new Set(alerting.map(({ scan }) => formatDate(scan.completedAt ?? scan.startedAt)))]
  const last = judged.length === 1 ? "your last scan" : `your last ${judged.length} scans`
  return alerting.length === 0
    ? `With this rule, ${last} would have raised no alert.`
    : `With this rule, ${last} would have alerted on ${joinWords(days)}.`
}

const previewRows = ({ organization: { slug } }: Frame, { scans }: AlertRulePreview): Fragment =>
  scans.toReversed().flatMap(({ alerts, scan }) =>
    alerts.map((alert) =>
      html`<tr><th scope="row"><a href="${inOrganization(slug, `/scans/${scan.id}`)}">${
        formatMinute(scan.completedAt ?? scan.startedAt)
      }</a>${scan.simulated && html` <span class="tag">Simulated</span>`}</th><td>${
        visible(describeAlert(alert))
      }</td><td>${
        alert.data.confirmed
          ? html`<span class="pill on">confirmed</span>`
          : html`<span class="pill">may be noise</span>`
      }</td></tr>`
    )
  )

const describeMissingPreview = ({ preview, rule }: AlertRuleContent): string =>
  preview === "late"
    ? `To try the rule on your last scans takes too long here. The command does it: sov alert preview ${rule.rule}`
    : "Set a threshold and press Preview to see what the rule would have raised."

const previewPanel = (frame: Frame, content: AlertRuleContent): Html => {
  const { rule } = content
  const preview = content.preview === "late" ? null : content.preview
  const others = preview?.scans.filter(({ measured }) => !measured).length ?? 0
  return html`<section class="panel" aria-labelledby="preview"${
    attributes({ role: "status" })
  }><header><h2 id="preview">On your last scans</h2></header><p>${
    preview === null
      ? describeMissingPreview(content)
      : describePreview(preview)
  }</p>${
    preview !== null && preview.scans.some(({ alerts }) => alerts.length > 0) &&
    dataTable(
      "preview",
      [{ title: "Scan" }, { title: "Alert" }, { title: "Noise gate" }],
      previewRows(frame, preview)
    )
  }${
    others > 0 && preview !== null && others < preview.scans.length &&
    html`<p class="small">${pluralized(others, "scan")} of the last ${preview.scans.length} ${
      others === 1 ? "is" : "are"
    } measured with other names or rules and not judged.</p>`
  }${
    others > 0 &&
    html`<p class="small"><a href="${
      inOrganization(frame.organization.slug, "/competitors/measure")
    }">Measure them with the present names</a></p>`
  }<footer>${
    rule.rule === "competitor_overtake" ? "One alert for each competitor" : "One alert for each scan"
  } at most; the scans are evaluated as if the rule had been set before the first of them.</footer></section>`
}

export const alertRulePage = (frame: Frame, content: AlertRuleContent): Html =>
  layout(frame, {
    title: alertTitles[content.rule.rule],
    here: "settings",
    simulated: content.preview !== null && content.preview !== "late" &&
      content.preview.scans.some(({ alerts, scan }) => scan.simulated && alerts.length > 0),
    summary: html`<a href="${inOrganization(frame.organization.slug, "/settings/alerts")}">Alert settings</a> · ${
      ruleWords[content.rule.rule]
    }`,
    body: html`<div class="grid">${previewPanel(frame, content)}${ruleForm(frame, content)}${
      alarmsPanel(content)
    }</div>`
  })
