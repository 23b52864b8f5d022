/**
 * One alert rule: its settings, how often chance alone triggers it, and the alerts that it would have raised for the
 * last scans.
 */
import { type AlertRule, type AlertRuleName, type AlertRulePreview, falseAlarms, isConfirmed } from "@sov/core/alerts"
import { type AuditEntryId, pluralized } from "@sov/core/common"
import { formatDate, formatMinute } from "../charts/numbers.ts"
import { type Fragment, type Html, html, lateSlot } from "../html.ts"
import { visible } from "../visible.ts"
import { describeRuleSetting, ruleWords } from "./alertSettings.ts"
import { changedNote, choiceField, type Faults, formIdField, refusedNote, seenField, textField } from "./forms.ts"
import type { Frame } from "./Frame.ts"
import { layout, simulatedBanner } from "./layout.ts"
import { dataTable, numeric } from "./lists.ts"
import { inOrganization } from "./sections.ts"
import { alertTitles, describeAlert } from "./words.ts"

/** The fields of a rule's form. */
export interface TypedRule {
  readonly enabled: string
  readonly threshold: string
  readonly sensitivity: string
}

export const toTypedRule = ({ enabled, sensitivity, threshold }: AlertRule): TypedRule => ({
  enabled: enabled ? "on" : "off",
  threshold: threshold === null ? "" : String(threshold),
  sensitivity
})

export interface AlertRuleContent {
  /** The stored rule. */
  readonly rule: AlertRule
  readonly typed: TypedRule
  readonly faults: Faults<keyof TypedRule>
  /** Whether somebody else has changed the rule since the form was opened. */
  readonly changed: boolean
  /** Whether a preview of the typed rule follows (`alertPreview`), or why it does not. */
  readonly preview: "follows" | "stopped" | "no rule"
  readonly formId: AuditEntryId
}

/**
 * The alerts that a rule would have raised, or why they are not shown: the preview took too long, or the database did
 * not answer.
 */
export type PreviewOutcome = AlertRulePreview | "too long" | "failed" | null

const sensitivityWords: { readonly [rule in AlertRuleName]: readonly [immediate: string, confirmed: string] } = {
  sov_drop: ["immediate: every time the threshold is crossed", "confirmed: only when the change exceeds noise"],
  new_mention: [
    "immediate: the last 5 answers to the question on the platform did not name you",
    "confirmed: no answer to it there has ever named you"
  ],
  competitor_overtake: [
    "immediate: every time a competitor moves ahead",
    "confirmed: only when the change exceeds noise"
  ],
  new_competitor: [
    "immediate: every name that is new for at least 3 questions × platforms",
    "confirmed: only when a second scan names it too, or more answers than chance explains"
  ],
  platform_changed: ["immediate: every time", "confirmed: the same, as the name of a model has no noise"],
  fact_contradicted: ["immediate: the same statement in two scans", "confirmed: the same"]
}

const ruleForm = (frame: Frame, { changed, faults, formId, rule, typed }: AlertRuleContent): Html => {
  const [immediate, confirmed] = sensitivityWords[rule.rule]
  return html`<section class="panel" aria-labelledby="setting"><header><h2 id="setting">Setting</h2><p>currently ${
    describeRuleSetting(rule)
  }</p></header>${changed && changedNote(describeRuleSetting(rule))}${
    refusedNote(faults)
  }<form class="fields" id="rule" method="post" action="${
    inOrganization(frame.organization.slug, `/settings/alerts/${rule.rule}`)
  }">${formIdField(formId)}${seenField(describeRuleSetting(rule))}${
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
      hint: "Above 0, at most 100. A share equal to the threshold raises no alert."
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
  }">Cancel</a></div></form><footer>Changing a rule resets it: it starts again from the previous scan.</footer></section>`
}

const alarmsPanel = ({ rule: { rule } }: AlertRuleContent): Html =>
  html`<section class="panel" aria-labelledby="alarms"><header><h2 id="alarms">False alarms</h2><p>${
    falseAlarms[rule].length > 0 && "alerts expected in 30 scans when nothing changes"
  }</p></header>${
    falseAlarms[rule].length === 0
      ? html`<p>A first mention is never noise, so there are no false alarms to count. “Confirmed” raises fewer alerts: a mention that disappears and returns raises none.</p>`
      : dataTable(
        "alarms",
        ["Situation", numeric("immediate"), numeric("confirmed")],
        falseAlarms[rule].map(({ confirmed, immediate, situation }) =>
          html`<tr><th scope="row">${situation}</th><td class="num">${immediate}</td><td class="num">${confirmed}</td></tr>`
        )
      )
  }${
    falseAlarms[rule].length > 0 &&
    html`<footer>Average of 200 simulated histories with 10 questions on 5 platforms. We recommend “confirmed”.</footer>`
  }</section>`

const joinWords = (words: ReadonlyArray<string>): string =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)!}`

/** For example: `Your last 12 scans would have alerted on 3 Oct 2026 and 17 Oct 2026.` */
const describePreview = ({ scans }: AlertRulePreview): string => {
  if (scans.length === 0) return "No scan has completed yet, so there is nothing to test the rule on."
  const judged = scans.filter(({ measured }) => measured)
  if (judged.length === 0) {
    return "The last scans were measured with different names or rules, so the rule cannot be tried on them."
  }
  const alerting = judged.filter(({ alerts }) => alerts.length > 0)
  const days = [...new Set(alerting.map(({ scan }) => formatDate(scan.completedAt ?? scan.startedAt)))]
  const last = judged.length === 1 ? "your last scan" : `your last ${judged.length} scans`
  return alerting.length === 0
    ? `With this rule, ${last} would not have raised an alert.`
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
        isConfirmed(alert)
          ? html`<span class="pill on">more than noise</span>`
          : html`<span class="pill">may be noise</span>`
      }</td></tr>`
    )
  )

const missingWords = (rule: AlertRuleName, outcome: "too long" | "failed" | null): string =>
  outcome === "too long"
    ? `Testing this rule on your last scans takes too long for a page. Use the command instead: sov alert preview ${rule}`
    : outcome === "failed"
    ? "The database did not answer in time, so there is no preview. The form above works; choose Preview to try again."
    : noRuleWords

const noRuleWords = "Set a threshold and choose Preview to see which alerts the rule would have raised."

/** The late part of a rule's page: the alerts that the rule would have raised for the last scans. */
export const alertPreview = (frame: Frame, rule: AlertRuleName, outcome: PreviewOutcome): Html => {
  const preview = outcome === "too long" || outcome === "failed" ? null : outcome
  const others = preview?.scans.filter(({ measured }) => !measured).length ?? 0
  return html`<div role="status">${
    preview?.scans.some(({ alerts, scan }) => scan.simulated && alerts.length > 0) === true && simulatedBanner
  }<p>${
    preview === null
      ? missingWords(rule, outcome as Exclude<PreviewOutcome, AlertRulePreview>)
      : describePreview(preview)
  }</p>${
    preview !== null && preview.scans.some(({ alerts }) => alerts.length > 0) &&
    dataTable(
      "preview",
      ["Scan", "Alert", "Certainty"],
      previewRows(frame, preview)
    )
  }${
    others > 0 && preview !== null && others < preview.scans.length &&
    html`<p class="small">${pluralized(others, "scan")} of the last ${preview.scans.length} ${
      others === 1 ? "is" : "are"
    } measured with different names or rules and left out.</p>`
  }${
    others > 0 &&
    html`<p class="small"><a href="${
      inOrganization(frame.organization.slug, "/competitors/measure")
    }">Measure them with the current names</a></p>`
  }</div>`
}

const previewPanel = ({ preview, rule: { rule } }: AlertRuleContent): Html =>
  html`<section class="panel" aria-labelledby="preview"><header><h2 id="preview">On your last scans</h2></header>${
    preview === "follows"
      ? html`<p class="waiting">Trying this rule on your last scans… <button form="rule" name="step" value="stop" formnovalidate>Stop</button></p>${lateSlot}`
      : html`<p>${preview === "stopped" ? "The preview was stopped. Choose Preview to start it." : noRuleWords}</p>`
  }<footer>${
    rule === "competitor_overtake" ? "One alert for each competitor" : "One alert for each scan"
  } at most. The scans are evaluated as if this rule had been set before the first of them.</footer></section>`

export const alertRulePage = (frame: Frame, content: AlertRuleContent): Html =>
  layout(frame, {
    title: alertTitles[content.rule.rule],
    here: "settings",
    summary: html`<a href="${inOrganization(frame.organization.slug, "/settings/alerts")}">Alert settings</a> · ${
      ruleWords[content.rule.rule]
    }`,
    body: html`<div class="grid">${ruleForm(frame, content)}${alarmsPanel(content)}${previewPanel(content)}</div>`
  })
