/** Alert settings: the rules, the recipients of e-mails, and a test e-mail. */
import type { AlertRule, readAlertRules } from "@sov/core/alerts"
import { type AuditEntryId, pluralized } from "@sov/core/common"
import { type DigestSetting, maxRecipients, type Recipient, type TestMail } from "@sov/core/mail"
import { atLeast } from "@sov/core/people"
import type { Effect } from "effect"
import { formatMinute, formatWeekday } from "../charts/numbers.ts"
import { type Fragment, type Html, html } from "../html.ts"
import { visible } from "../visible.ts"
import { noMailWords } from "./done.ts"
import { selectField } from "./fields.ts"
import { changedNote, type Faults, formIdField, linesField, refusedNote, seenField } from "./forms.ts"
import type { Frame } from "./Frame.ts"
import { layout } from "./layout.ts"
import { dataTable, hidden, numeric } from "./lists.ts"
import { inOrganization } from "./sections.ts"
import { alertTitles } from "./words.ts"

/** The event that triggers each rule, in words. */
export const ruleWords: { readonly [rule in AlertRule["rule"]]: string } = {
  sov_drop: "Your share of voice falls below a threshold.",
  new_mention: "An answer names you where the last 5 answers to the same question on the same platform did not.",
  competitor_overtake: "A competitor who was behind you in the previous scan is now ahead.",
  new_competitor: "Answers name a brand that you do not track and that no earlier scan named.",
  platform_changed: "Another model answers on a platform, or it is asked otherwise: its trend begins again.",
  fact_contradicted: "Answers of two scans in a row state the same, and your business card says otherwise."
}

/** The settings of a rule in words, such as `on, below 40 %, confirmed`. */
export const describeRuleSetting = ({ enabled, sensitivity, threshold }: AlertRule): string =>
  [enabled ? "on" : "off", ...threshold === null ? [] : [`below ${threshold} %`], sensitivity].join(", ")

type ListedRule = Effect.Success<ReturnType<typeof readAlertRules>>[number]

/** Recipients that a form sent but that were not stored. */
export interface RefusedRecipients {
  readonly typed: string
  readonly faults: Faults<"addresses">
  /** Whether somebody else has changed the recipients since the form was opened. */
  readonly changed: boolean
}

export interface AlertSettingsContent {
  readonly rules: ReadonlyArray<ListedRule>
  readonly recipients: ReadonlyArray<Recipient>
  readonly hasMailServer: boolean
  readonly formId: AuditEntryId
  /** Id of the form that sends a test e-mail. */
  readonly testFormId: AuditEntryId
  readonly digest: DigestSetting
  readonly digestFormId: AuditEntryId
  /** Whether somebody else has switched digests on or off since the form was opened. */
  readonly digestChanged: boolean
  /** The organization's time zone. */
  readonly timeZone: string
  readonly refused: RefusedRecipients | null
  /** The result for each recipient of a test e-mail that was just sent; null = no test was sent. */
  readonly tested: ReadonlyArray<TestMail> | null
}

/** The recipients as text for the form, one per line. */
export const recipientLines = (recipients: ReadonlyArray<Recipient>): string =>
  recipients.map(({ address }) => address).join("\n")

const ruleRow = ({ organization: { slug }, role }: Frame, { lastAlertAt, rule }: ListedRule): Html =>
  html`<tr><th scope="row">${alertTitles[rule.rule]}<br><small>${ruleWords[rule.rule]}</small></th><td>${
    rule.enabled ? html`<span class="pill on">on</span>` : html`<span class="pill">off</span>`
  }</td><td class="num">${
    rule.threshold !== null && `below ${rule.threshold} %`
  }</td><td>${rule.sensitivity}</td><td data-name="alerted">${
    lastAlertAt === null
      ? "never"
      : html`<time datetime="${lastAlertAt.toISOString()}">${formatMinute(lastAlertAt)}</time>`
  }</td>${
    atLeast(role, "member") &&
    html`<td class="num"><a class="button" href="${
      inOrganization(slug, `/settings/alerts/${rule.rule}`)
    }">Change…<span class="hidden"> ${alertTitles[rule.rule]}</span></a></td>`
  }</tr>`

const rulesPanel = (frame: Frame, rules: ReadonlyArray<ListedRule>): Html =>
  html`<section class="panel" aria-labelledby="rules"><header><h2 id="rules">Rules</h2><p><a href="${
    inOrganization(frame.organization.slug, "/alerts")
  }">Show alerts</a></p></header>${
    dataTable(
      "rules",
      [
        "Rule",
        "State",
        numeric("Threshold"),
        "Sensitivity",
        "Last alert",
        ...atLeast(frame.role, "member") ? [hidden("Change")] : []
      ],
      rules.map((rule) => ruleRow(frame, rule)),
      "stacked"
    )
  }<footer>Rules are evaluated once, when a scan completes. Each alert is recorded, sent to subscribed webhooks and e-mailed to the recipients.</footer></section>`

const flaggedNote = (recipients: ReadonlyArray<Recipient>): Fragment =>
  recipients.flatMap(({ address, flagged }) =>
    flagged === null
      ? []
      : [
        html`<p class="note warn">${visible(address)} has received no e-mail since ${formatMinute(flagged.at)}: ${
          visible(flagged.reason)
        } Once that is fixed, save the recipients again.</p>`
      ]
  )

const recipientsForm = (
  { organization: { slug } }: Frame,
  { formId, recipients, refused }: AlertSettingsContent
): Html => {
  const now = recipientLines(recipients)
  return html`${
    refused?.changed === true && changedNote(now === "" ? "no recipients" : visible(now.replaceAll("\n", ", ")))
  }${refused !== null && refusedNote(refused.faults)}<form class="fields" method="post" action="${
    inOrganization(slug, "/settings/alerts/recipients")
  }">${formIdField(formId)}${seenField(now)}${
    linesField({
      name: "addresses",
      label: "E-mail addresses, one per line",
      value: refused?.typed ?? now,
      fault: refused?.faults.addresses,
      hint: `At most ${maxRecipients}; leave empty to send no e-mail.`
    })
  }<div class="actions"><button class="primary">Save recipients</button></div></form>`
}

const testForm = ({ organization: { slug } }: Frame, { testFormId }: AlertSettingsContent): Html =>
  html`<form class="actions" method="post" action="${inOrganization(slug, "/settings/alerts/test")}">${
    formIdField(testFormId)
  }${
    selectField({
      label: "Sample alert",
      name: "rule",
      choices: Object.entries(alertTitles),
      chosen: "sov_drop"
    })
  }<button>Send a test e-mail</button></form>`

const testedNote = (tested: ReadonlyArray<TestMail>): Html =>
  html`<div class="note${tested.every(({ error }) => error === null) ? " good" : " warn"}" role="status"><ul>${
    tested.map(({ error, to }) =>
      html`<li>${visible(to)}: ${
        error === null ? "sent" : html`not sent, ${error.reason}: ${visible(error.message)}`
      }</li>`
    )
  }</ul></div>`

const noMailServer = (still: string): Html => html`<p class="note warn">${noMailWords} ${still}</p>`

const mailPanel = (frame: Frame, content: AlertSettingsContent): Html => {
  const { hasMailServer, recipients, tested } = content
  const isOwner = atLeast(frame.role, "owner")
  return html`<section class="panel" aria-labelledby="mail"><header><h2 id="mail">E-mail</h2><p>${
    recipients.length === 0 ? "no recipients" : pluralized(recipients.length, "recipient")
  }</p></header>${!hasMailServer && noMailServer("Alerts are still recorded and sent to webhooks.")}${
    tested !== null && testedNote(tested)
  }${
    isOwner
      ? html`${flaggedNote(recipients)}${recipientsForm(frame, content)}${
        hasMailServer && recipients.length > 0 && html`<h3>Test</h3>${testForm(frame, content)}`
      }`
      : html`<p>Only owners can see and change the recipients.</p>`
  }</section>`
}

/** Whether digests are on, as text for `seenField`. */
export const digestState = ({ enabled }: DigestSetting): string => enabled ? "on" : "off"

const digestForm = (
  { organization: { slug } }: Frame,
  { digest, digestChanged, digestFormId }: AlertSettingsContent
): Html =>
  html`${digestChanged && changedNote(digestState(digest))}<form class="actions" method="post" action="${
    inOrganization(slug, "/settings/alerts/digest")
  }">${formIdField(digestFormId)}${seenField(digestState(digest))}<button name="state" value="${
    digest.enabled ? "off" : "on"
  }">${digest.enabled ? "Turn off the weekly digest" : "Turn on the weekly digest"}</button></form>`

const digestPanel = (frame: Frame, content: AlertSettingsContent): Html => {
  const { digest: { nextAt }, hasMailServer, recipients, timeZone } = content
  const off = recipients.filter(({ digestOffAt }) => digestOffAt !== null)
  const isOwner = atLeast(frame.role, "owner")
  return html`<section class="panel" aria-labelledby="digest"><header><h2 id="digest">Weekly digest</h2><p>${
    nextAt === null ? "off" : `next: ${formatWeekday(nextAt, timeZone)}`
  }</p></header>${
    !hasMailServer && noMailServer("Until then, no digest is sent.")
  }<p>Every Monday at 08:00, alert recipients get an e-mail with your share of voice and what changed beyond noise. Each recipient can unsubscribe with one click.</p>${
    isOwner && html`${
      off.length > 0 &&
      html`<p class="small">Unsubscribed: ${
        visible(off.map(({ address }) => address).join(", "))
      }. To send digests to somebody again, remove the address from the recipients and add it back.</p>`
    }${digestForm(frame, content)}`
  }</section>`
}

export const alertSettingsPage = (frame: Frame, content: AlertSettingsContent): Html =>
  layout(frame, {
    title: "Alert settings",
    here: "settings",
    summary: html`<a href="${inOrganization(frame.organization.slug, "/settings")}">Settings</a>`,
    body: html`<div class="grid">${rulesPanel(frame, content.rules)}${mailPanel(frame, content)}${
      digestPanel(frame, content)
    }</div>`
  })
