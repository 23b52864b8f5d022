/** The e-mail of an alert. */
import type { MailContent } from "../mail/Mail.ts"
import { renderMail } from "../mail/renderMail.ts"
import { type Alert, type DetectedAlert, getAlertScan } from "./AlertRule.ts"
import { type AlertNames, describeAlert, describeLabels } from "./describeAlert.ts"

/** The names and facts that an e-mail shows with the alert. */
export interface MailNames extends AlertNames {
  readonly organization: string
  /** Address of the page of alerts, without a final slash; absent if the dashboard has no public address. */
  readonly alertsUrl?: string | undefined
}

/** The command that shows details of an alert. */
const describeCommand = (alert: DetectedAlert): string => {
  switch (alert.rule) {
    case "new_mention":
      return `Read one: sov archive show ${alert.data.mentions[0]?.archive_id ?? "ID"}`
    case "new_competitor":
      return `Track or ignore it: sov competitor suggest. Read an answer: sov archive show ${
        alert.data.names[0]?.archive_ids[0] ?? "ID"
      }`
    default:
      return `Look closer: sov score, and sov scan compare ${alert.data.previous_scan_id} ${alert.data.scan_id}`
  }
}

/** Writes the e-mail of an alert. It contains no part of a raw answer. */
export const renderAlertMail = (alert: Alert, names: MailNames): MailContent => {
  const words = describeAlert(alert, names)
  return renderMail({
    ...words,
    paragraphs: [...words.paragraphs, describeCommand(alert), ...describeLabels(alert.data)],
    ...names.alertsUrl === undefined
      ? {}
      : { link: { words: "The alert in the dashboard", url: `${names.alertsUrl}/${alert.id}` } },
    footer: [
      `Scan ${getAlertScan(alert)} · alert ${alert.id}`,
      `You get this as a recipient of alerts of ${names.organization}. Who gets them: sov alert set --email`
    ]
  })
}
