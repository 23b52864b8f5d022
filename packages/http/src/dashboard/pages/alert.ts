/** One alert: what happened, its evidence, and who was notified. */
import { type Alert, describeDrop, describeEvidence, type FoundAlert, getAlertScan, isGated } from "@sov/core/alerts"
import { pluralized } from "@sov/core/common"
import { atLeast } from "@sov/core/people"
import { formatMinute, formatNumber, formatPercent, formatPoints } from "../charts/numbers.ts"
import { type Fragment, type Html, html } from "../html.ts"
import { visible } from "../visible.ts"
import { alertMarks, describeMails } from "./alerts.ts"
import type { Frame } from "./Frame.ts"
import { layout } from "./layout.ts"
import { dataTable, numeric, wideColumn } from "./lists.ts"
import { inOrganization } from "./sections.ts"
import { alertTitles, describeAlert, platformName } from "./words.ts"

const fact = (name: string, value: Fragment): Html => html`<div><dt>${name}</dt><dd>${value}</dd></div>`

/** The numbers in an alert. */
const figures = (alert: Alert): Fragment => {
  switch (alert.rule) {
    case "sov_drop": {
      const { before, now } = describeDrop(alert.data)
      return [
        fact("Now", `${now} %`),
        fact("Before", `${before} %`),
        fact("Change", `${formatPoints(-alert.data.drop)} points`),
        fact("Threshold", `${alert.data.threshold} %`)
      ]
    }
    case "new_mention":
      return fact("New mentions", pluralized(alert.data.mentions_total, "answer"))
    case "competitor_overtake": {
      const { brand_sov, competitor_name, competitor_sov, previous_brand_sov, previous_competitor_sov } = alert.data
      return [
        fact(`${visible(competitor_name)} now`, formatPercent(competitor_sov, 1)),
        fact("You now", formatPercent(brand_sov, 1)),
        fact(`${visible(competitor_name)} before`, formatPercent(previous_competitor_sov, 1)),
        fact("You before", formatPercent(previous_brand_sov, 1))
      ]
    }
    case "new_competitor":
      return fact("New names", alert.data.names.length)
    case "platform_changed":
      return [fact("Before", visible(alert.data.before)), fact("Now", visible(alert.data.after))]
    case "fact_contradicted":
      return alert.data.facts.map((one) =>
        fact(
          visible(one.fact),
          visible(`${one.stated} in ${pluralized(one.answers, "answer")}; the card says ${one.card_says.join(", ")}`)
        )
      )
  }
}

const evidencePanel = (alert: Alert): Fragment => {
  if (!isGated(alert)) return null
  const { data, rule } = alert
  return html`<section class="panel" aria-labelledby="evidence"><header><h2 id="evidence">Evidence</h2></header><p>${
    describeEvidence(rule, data)
  }</p><dl class="figures">${fact("Questions × platforms compared", data.n_cells)}${
    fact("Of those, changed", data.cells_moved)
  }${data.z !== null && fact("z", formatNumber(data.z, 2))}${
    fact("Confidence", data.confidence === "low" ? "low" : "normal")
  }</dl></section>`
}

/** Links to pages with more detail. */
const links = ({ organization: { slug } }: Frame, alert: Alert): Html => {
  const scan = getAlertScan(alert)
  return html`<div class="actions">${
    "previous_scan_id" in alert.data &&
    html`<a class="button" href="${
      inOrganization(slug, "/scans/compare", { before: alert.data.previous_scan_id, after: scan })
    }">Compare the two scans</a>`
  }<a class="button" href="${inOrganization(slug, "/answers", { scan_id: scan })}">Answers of the scan</a></div>`
}

const mentionsPanel = (frame: Frame, { alert, keywords }: FoundAlert): Fragment => {
  if (alert.rule !== "new_mention") return null
  const { mentions, mentions_total: total } = alert.data
  return html`<section class="panel" aria-labelledby="mentions"><header><h2 id="mentions">Answers with a new mention</h2></header>${
    dataTable(
      "mentions",
      ["Question", "Platform", numeric("Named"), numeric("Position"), "Tone"],
      mentions.map((one) =>
        html`<tr><th scope="row" class="break"><a href="${
          inOrganization(frame.organization.slug, `/answers/${one.archive_id}`)
        }">${visible(keywords.get(one.keyword_id) ?? one.keyword_id)}</a></th><td>${
          visible(platformName(frame, one.platform))
        }</td><td class="num">${one.mention_count}×</td><td class="num">${one.mention_position}</td><td>${
          one.sentiment ?? "not judged"
        }</td></tr>`
      )
    )
  }${total > mentions.length && html`<footer>And ${total - mentions.length} more.</footer>`}</section>`
}

const namesPanel = (frame: Frame, { alert }: FoundAlert): Fragment => {
  if (alert.rule !== "new_competitor") return null
  const { slug } = frame.organization
  return html`<section class="panel" aria-labelledby="names"><header><h2 id="names">New names</h2><p><a href="${
    inOrganization(slug, "/competitors")
  }">Track or ignore them</a></p></header>${
    dataTable(
      "names",
      [
        "Name",
        numeric("Questions × platforms"),
        numeric("Questions"),
        "Platforms",
        numeric("Share"),
        "Certainty",
        "Answers"
      ],
      alert.data.names.map((one) =>
        html`<tr><th scope="row" class="break">${
          visible(one.name)
        }</th><td class="num">${one.cells}</td><td class="num">${one.keywords}</td><td>${
          visible(one.platforms.map((platform) => platformName(frame, platform)).join(", "))
        }</td><td class="num">${formatPercent(one.share, 1)}</td><td>${
          one.confirmed ? "more than noise" : "may be noise"
        }</td><td>${
          one.archive_ids.map((id, n) =>
            html`<a href="${inOrganization(slug, `/answers/${id}`)}">${
              n === 0 ? "first" : `answer ${n + 1}`
            }<span class="hidden"> that names ${visible(one.name)}</span></a> `
          )
        }</td></tr>`
      )
    )
  }<footer>The share each name would have had in this scan if you had tracked it.</footer></section>`
}

const mailsPanel = ({ organization: { slug }, role }: Frame, { emails }: FoundAlert): Html =>
  html`<section class="panel" aria-labelledby="mails"><header><h2 id="mails">E-mails</h2><p>${
    describeMails(emails)
  }</p></header>${
    emails.length === 0
      ? html`<p class="small">There are no recipients.${
        atLeast(role, "owner") && html` <a href="${inOrganization(slug, "/settings/alerts")}">Set recipients</a>`
      }</p>`
      : dataTable(
        "mails",
        ["To", "State", numeric("Attempts"), wideColumn("Ended")],
        emails.map(({ endedAt, message, state, to, tries }) =>
          html`<tr><th scope="row" class="break">${visible(to)}</th><td>${state}${
            message !== null && html`<br><small>${visible(message)}</small>`
          }</td><td class="num">${tries}</td><td class="wide">${endedAt !== null && formatMinute(endedAt)}</td></tr>`
        )
      )
  }</section>`

const deliveriesPanel = ({ deliveries, hosts }: FoundAlert): Html =>
  html`<section class="panel" aria-labelledby="deliveries"><header><h2 id="deliveries">Webhooks</h2></header>${
    deliveries.length === 0
      ? html`<p class="small">No webhook subscribes to this event.</p>`
      : dataTable(
        "deliveries",
        ["Endpoint", "State", numeric("Attempts"), wideColumn("Last response")],
        deliveries.map(({ attempts, endpointId, last, state }) =>
          html`<tr><th scope="row" class="break">${
            visible(hosts.get(endpointId) ?? "removed")
          }</th><td>${state}</td><td class="num">${attempts}</td><td class="wide">${
            last !== null && (last.status ?? visible(last.message ?? ""))
          }</td></tr>`
        )
      )
  }</section>`

export const alertPage = (frame: Frame, found: FoundAlert): Html => {
  const { alert } = found
  const { slug } = frame.organization
  return layout(frame, {
    title: alertTitles[alert.rule],
    here: "alerts",
    simulated: alert.data.simulated === true,
    summary: html`<a href="${
      inOrganization(slug, "/alerts")
    }">Alerts</a> · <time datetime="${alert.createdAt.toISOString()}">${
      formatMinute(alert.createdAt)
    }</time> · <a href="${inOrganization(slug, `/scans/${getAlertScan(alert)}`)}">the scan that raised it</a>`,
    actions: links(frame, alert),
    body: html`<div class="grid"><section class="panel" aria-labelledby="what"><header><h2 id="what">${
      visible(describeAlert(alert))
    }</h2>${alertMarks(alert)}</header><dl class="figures">${figures(alert)}</dl></section>${evidencePanel(alert)}${
      mentionsPanel(frame, found)
    }${namesPanel(frame, found)}<div class="grid two">${mailsPanel(frame, found)}${deliveriesPanel(found)}</div></div>`
  })
}
