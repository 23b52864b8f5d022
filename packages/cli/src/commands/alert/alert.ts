/** sov alert: manages alert rules and e-mail recipients, and lists raised alerts. */
import {
  type Alert,
  alertJson,
  type AlertRule,
  alertRuleJson,
  type AlertRuleName,
  isConfirmed,
  isGatedRule,
  readAlertLog,
  readAlertRules,
  setAlertRule
} from "@sov/core/alerts"
import type { OrganizationId } from "@sov/core/common"
import { maxLogPage } from "@sov/core/common"
import {
  EmailAddress,
  type MailStatus,
  readRecipients,
  type Recipient,
  sendTestMail,
  setRecipients
} from "@sov/core/mail"
import { wholeHistory } from "@sov/core/organizations"
import { readHeadlineHistory } from "@sov/core/scoring"
import { formatAskedPart } from "@sov/core/webhooks"
import { Effect } from "effect"
import { CliError, usageError } from "../../CliError.ts"
import { exitCodes } from "../../exitCodes.ts"
import { currentOrganization } from "../../input/currentOrganization.ts"
import { decodeInput } from "../../input/decodeInput.ts"
import { integerOption } from "../../input/integerOption.ts"
import { type Output, printable } from "../../output/Output.ts"
import { alertText } from "../../render/alertText.ts"
import { findMailFault, mailSender, runCommand, runForOrganization } from "../../runtime.ts"
import type { GlobalOptions } from "../../settings/GlobalOptions.ts"
import { describeRule, readRuleOptions, type RuleOptions } from "./ruleOptions.ts"

const recipientJson = ({ address, flagged }: Recipient) => ({
  email: address,
  flagged: flagged === null ? null : { at: flagged.at.toISOString(), reason: flagged.reason }
})

/** Notes the reasons why alert e-mails are not sent. */
const noteMail = (out: Output, recipients: ReadonlyArray<Recipient>): void => {
  for (const { address, flagged } of recipients) {
    if (flagged !== null) {
      out.note(
        `${address} gets no e-mail: ${printable(flagged.reason)} (if that is corrected, set the recipients again)`
      )
    }
  }
  const fault = findMailFault(process.env)
  if (fault !== null) out.note(`No e-mail is sent: ${fault.message}`)
  else if ((process.env["SOV_SMTP_URL"] ?? "") === "") {
    out.note("No e-mail is sent: SOV_SMTP_URL and SOV_MAIL_FROM are not set. Alerts are recorded: sov alert log")
  }
}

export const list = (options: GlobalOptions) =>
  runForOrganization(options, { repeatable: true }, function*({ out }, { id }) {
    const recipients = yield* readRecipients(id)
    const rules = (yield* readAlertRules(id, wholeHistory)).map(({ lastAlertAt, rule }) => ({
      ...alertRuleJson(rule),
      last_alert_at: lastAlertAt?.toISOString() ?? null
    }))
    out.list(rules, [
      { header: "RULE", cell: (row) => row.rule },
      { header: "STATE", cell: (row) => row.enabled ? "on" : "off" },
      { header: "THRESHOLD", cell: (row) => row.threshold ?? "-", align: "right" },
      { header: "SENSITIVITY", cell: (row) => row.sensitivity },
      { header: "LAST ALERT", cell: (row) => row.last_alert_at ?? "-" }
    ], { wrap: { rules, emails: recipients.map(recipientJson) }, empty: "" })
    if (out.machine) return
    out.note(
      recipients.length === 0
        ? "No e-mail recipients: sov alert set --email ADDRESS"
        : `E-mail to ${recipients.map(({ address }) => address).join(", ")}`
    )
    if (recipients.length > 0) noteMail(out, recipients)
  })

/** Why a rule should be set to sensitivity `confirmed`. */
const recommendation: { readonly [rule in AlertRuleName]?: string } = {
  new_mention:
    "Recommended: --sensitivity confirmed alerts only on questions whose answers never named the brand before.",
  new_competitor:
    "Recommended: --sensitivity confirmed. Answers vary: it waits for a second scan that names the brand, or for " +
    "more cells at once than chance explains."
}
const ofCrossings =
  "Recommended: --sensitivity confirmed. Answers vary: where nothing changes, a share near the mark crosses it " +
  "about 7 times in 30 scans by chance, and the noise gate lets about 1 of these through."

const noteEnabled = Effect.fnUntraced(function*(out: Output, organizationId: OrganizationId, rule: AlertRule) {
  if (rule.sensitivity === "immediate" && isGatedRule(rule.rule)) {
    out.note(recommendation[rule.rule] ?? ofCrossings)
  }
  const { scans: [latest] } = yield* readHeadlineHistory(organizationId, 1)
  const sov = latest?.score.avgSov ?? null
  if (rule.threshold !== null && sov !== null && sov < rule.threshold) {
    out.note(
      `${latest?.scan.simulated === true ? "SIMULATED: " : ""}The share of voice is ${sov.toFixed(1)} now, below ` +
        "already: an alert comes when it has been above and falls."
    )
  }
  if ((yield* readRecipients(organizationId)).length === 0) {
    out.note("No e-mail recipients yet: sov alert set --email ADDRESS")
  }
})

export const enable = (options: RuleOptions, name: AlertRuleName) =>
  runForOrganization(options, { repeatable: true }, function*({ out }, { id }) {
    const rule = yield* setAlertRule(id, {
      rule: name,
      enabled: true,
      ...yield* readRuleOptions(options)
    })
    out.result(alertRuleJson(rule), () => describeRule(rule))
    yield* noteEnabled(out, id, rule)
  })

export const disable = (options: GlobalOptions, name: AlertRuleName) =>
  runForOrganization(options, { repeatable: true }, function*({ out }, { id }) {
    const rule = yield* setAlertRule(id, { rule: name, enabled: false })
    out.result(alertRuleJson(rule), () => describeRule(rule))
  })

export const set = (options: GlobalOptions & { readonly email?: ReadonlyArray<string> | false }) =>
  runCommand(options, { repeatable: true }, function*({ out }) {
    if (options.email === undefined) {
      return yield* Effect.fail(usageError("nothing to set", "--email ADDRESS (repeatable) or --no-email"))
    }
    const { id } = yield* currentOrganization(options)
    const given = options.email === false ? [] : [...new Set(options.email)]
    const addresses = yield* Effect.forEach(given, (one) => decodeInput(EmailAddress, one, "--email"))
    const recipients = yield* setRecipients(id, addresses)
    out.result(
      { emails: recipients.map(recipientJson) },
      () =>
        recipients.length === 0 ? "No e-mail recipients" : `E-mail to ${recipients.map((r) => r.address).join(", ")}`
    )
    if (recipients.length > 0) noteMail(out, recipients)
  })

const mailJson = ({ endedAt, message, state, to, tries }: MailStatus) => ({
  to,
  state,
  tries,
  message,
  ended_at: endedAt?.toISOString() ?? null
})

const mailText = (emails: ReadonlyArray<ReturnType<typeof mailJson>>): string => {
  const states = ["sent", "queued", "failed", "dropped"].flatMap((state) => {
    const count = emails.filter((one) => one.state === state).length
    return count === 0 ? [] : [`${count} ${state}`]
  })
  return states.length === 0 ? "-" : states.join(", ")
}

const logRow = ({ alert, emails }: { readonly alert: Alert; readonly emails: ReadonlyArray<MailStatus> }) => ({
  ...alertJson(alert),
  emails: emails.map(mailJson)
})

export const log = (options: GlobalOptions & { readonly limit: string; readonly rule?: AlertRuleName }) =>
  runCommand(options, { repeatable: true }, function*({ out }) {
    const limit = yield* integerOption("--limit", options.limit, 1, maxLogPage)
    const { id } = yield* currentOrganization(options)
    const { alerts: found } = yield* readAlertLog(id, wholeHistory, { rule: options.rule }, { limit })
    const texts = new Map(found.map(({ alert }) => [alert.id as string, alertText(alert)]))
    out.list(found.map(logRow), [
      { header: "TIME", cell: (row) => row.created_at },
      { header: "RULE", cell: (row) => `${row.rule}${row.data.simulated === true ? " SIMULATED" : ""}` },
      {
        header: "WHAT",
        cell: (row) => {
          const part = formatAskedPart(row.data.asked)
          return `${texts.get(row.id)!}${part === null ? "" : ` (asked only ${part})`}`
        }
      },
      { header: "CONFIRMED", cell: (row) => isConfirmed(row) ? "yes" : "no" },
      { header: "E-MAIL", cell: (row) => mailText(row.emails) },
      { header: "ID", cell: (row) => row.id }
    ], { empty: "No alerts yet: they are raised when a scan completes. sov alert list shows the rules." })
  })

export const test = (options: GlobalOptions, name: AlertRuleName) =>
  runForOrganization(options, {
    before: Effect.try({ try: () => mailSender(process.env), catch: (error) => error as CliError })
  }, function*({ out }, { id }) {
    const sent = yield* sendTestMail(id, name, mailSender(process.env))
    if (sent.length === 0) {
      return yield* Effect.fail(
        new CliError(
          "no-recipients",
          exitCodes.usage,
          "there are no e-mail recipients",
          "sov alert set --email ADDRESS"
        )
      )
    }
    const rows = sent.map(({ error, id: mail, to }) => ({
      id: mail,
      to,
      sent: error === null,
      error: error === null ? null : { reason: error.reason, message: error.message }
    }))
    out.list(rows, [
      { header: "TO", cell: (row) => row.to },
      {
        header: "RESULT",
        cell: (row) => row.error === null ? "sent" : `${row.error.reason}: ${printable(row.error.message)}`
      }
    ], { empty: "" })
    return rows.every((row) => row.sent) ? exitCodes.ok : exitCodes.unreachable
  })
