/** System status: workers, the scans that they process, and waiting work. */
import { type OrganizationId, pluralized } from "@sov/core/common"
import type { MailQueue } from "@sov/core/mail"
import { describeScanHold, findScanHold, type ScanHold } from "@sov/core/scanning"
import type { SystemStatus } from "@sov/core/workers"
import { formatCount, formatMinute } from "../charts/numbers.ts"
import { type Html, html } from "../html.ts"
import { visible } from "../visible.ts"
import type { Frame } from "./Frame.ts"
import { layout } from "./layout.ts"
import { dataTable, emptyState, factList, numeric, wideColumn } from "./lists.ts"

export interface SystemContent extends Pick<SystemStatus, "workers" | "running"> {
  /**
   * The queue of mails; null for members who are not the operator. They see how many workers there are, but not which
   * ones.
   */
  readonly mail: MailQueue | null
  /** Names of the organizations with running scans. */
  readonly names: ReadonlyMap<OrganizationId, string>
  /** Whether a mail server is configured on this server. */
  readonly canMail: boolean
}

const capitalize = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1)

const nextSteps: { readonly [reason in ScanHold["reason"]]: string } = {
  "no-worker": "start sov serve or sov worker",
  unasked: "configure it in the sov.config.json of a worker",
  stalled: "restart it"
}

/** Problems that keep the installation from working, each with the step that fixes it. */
const listFaults = (
  { canMail, mail, running, workers }: SystemContent,
  at: Date
): ReadonlyArray<string> => {
  const attended = workers.some(({ stays }) => stays)
  const holds = running.flatMap((one) => findScanHold(one, workers, at) ?? [])
    .filter(({ reason }) => attended || reason !== "no-worker")
  return [
    ...attended ? [] : ["No worker is active, so scans and schedules are waiting. Start sov serve or sov worker."],
    ...new Set(holds.map((hold) => `${capitalize(describeScanHold(hold))}: ${nextSteps[hold.reason]}.`)),
    ...mail !== null && mail.failed > 0
      ? [
        `${pluralized(mail.failed, "e-mail")} could not be sent in the last day${
          mail.lastFailure === null ? "" : `: ${mail.lastFailure}`
        }. sov alert test shows whether sending works now.`
      ]
      : [],
    ...mail !== null && mail.queued > 0 && !canMail
      ? [`${pluralized(mail.queued, "e-mail")} waiting, but no mail server is configured: set SOV_SMTP_URL.`]
      : []
  ]
}

const workersTable = ({ mail, workers }: SystemContent): Html =>
  workers.length === 0
    ? emptyState("No workers", "Workers ask platforms, send webhooks and e-mails, and run schedules.")
    : mail === null
    ? html`<p>${pluralized(workers.length, "worker")} ${workers.length === 1 ? "is" : "are"} active.</p>`
    : dataTable(
      "workers",
      ["Worker", "Platforms", "Doing", wideColumn("Since")],
      workers.map(({ doing, host, pid, platforms, startedAt, version }) =>
        html`<tr><th scope="row">${visible(host)} <small>process ${pid}, sov ${visible(version)}</small></th><td>${
          platforms.length === 0 ? "none" : platforms.join(", ")
        }</td><td class="small">${doing.length === 0 ? "idle" : doing.join(", ")}</td><td class="wide">${
          formatMinute(startedAt)
        }</td></tr>`
      )
    )

const runningTable = ({ names, running }: SystemContent): Html =>
  running.length === 0
    ? emptyState("No scans are running", "Scans appear here while they run.")
    : dataTable(
      "running",
      ["Organization", numeric("Open"), "Platforms", wideColumn("Since")],
      running.map(({ backlog, organizationId, scan }) =>
        html`<tr><th scope="row">${visible(names.get(organizationId) ?? "")}</th><td class="num">${
          formatCount(backlog.platforms.reduce((total, { open }) => total + open, 0))
        } of ${formatCount(scan.cellCount)}</td><td class="small">${
          backlog.platforms.map(({ open, platform }) => `${platform} ${open}`).join(", ")
        }</td><td class="wide">${formatMinute(scan.startedAt)}</td></tr>`
      )
    )

export const systemPage = (frame: Frame, content: SystemContent): Html => {
  const { mail } = content
  const faults = listFaults(content, frame.at)
  return layout(frame, {
    title: "System status",
    here: "settings",
    summary: mail === null
      ? "Status of this organization's scans"
      : "Status of the whole installation. sov doctor also checks files, keys and the network.",
    body: html`${
      faults.length === 0
        ? html`<p class="note good">All systems operational.</p>`
        : html`<div class="note warn" role="alert"><ul>${
          faults.map((fault) => html`<li>${visible(fault)}</li>`)
        }</ul></div>`
    }<div class="grid"><section class="panel" aria-labelledby="workers"><header><h2 id="workers">Workers</h2></header>${
      workersTable(content)
    }</section><section class="panel" aria-labelledby="running"><header><h2 id="running">Running scans</h2></header>${
      runningTable(content)
    }</section>${
      mail !== null &&
      html`<section class="panel" aria-labelledby="mail"><header><h2 id="mail">E-mails</h2></header>${
        factList([
          ["Waiting", formatCount(mail.queued)],
          ["Failed in the last day", formatCount(mail.failed)],
          ["Rejected recipients", formatCount(mail.flagged)]
        ])
      }</section>`
    }</div>`
  })
}
