/** sov alert preview: the alerts that a rule would have raised on the last scans. */
import { alertRuleJson, type AlertRuleName, isConfirmed, previewAlertRule, previewedScanJson } from "@sov/core/alerts"
import { pluralized } from "@sov/core/common"
import { wholeHistory } from "@sov/core/organizations"
import { alertText } from "../../render/alertText.ts"
import { runForOrganization } from "../../runtime.ts"
import { describeRule, readRuleOptions, type RuleOptions } from "./ruleOptions.ts"

export const preview = (options: RuleOptions, name: AlertRuleName) =>
  runForOrganization(options, { repeatable: true }, function*({ out }, { id }) {
    const change = { rule: name, ...yield* readRuleOptions(options) }
    const { rule, scans } = yield* previewAlertRule(id, wholeHistory, change)
    const { enabled: _, ...setting } = alertRuleJson(rule)
    const alerts = scans.flatMap(({ alerts, scan }) =>
      alerts.map((alert) => ({ at: scan.completedAt?.toISOString() ?? "", simulated: scan.simulated, alert }))
    )
    const rows = scans.map(previewedScanJson)
    out.result({ ...setting, alerts: alerts.length, scans: rows }, () =>
      [
        `${describeRule(rule)}: ${pluralized(alerts.length, "alert")} on the last ${pluralized(scans.length, "scan")}`,
        ...alerts.map(({ alert, at, simulated }) =>
          `  ${at}  ${simulated ? "SIMULATED  " : ""}${alertText(alert)}${isConfirmed(alert) ? "" : " (not confirmed)"}`
        )
      ].join("\n"))
    const unmeasured = rows.filter(({ measured }) => !measured).length
    if (unmeasured > 0) {
      out.note(
        `${pluralized(unmeasured, "scan")} not judged: measured with other names or rules. sov rescore measures again.`
      )
    }
    out.note(`Nothing was changed: sov alert enable ${name} sets the rule.`)
  })
