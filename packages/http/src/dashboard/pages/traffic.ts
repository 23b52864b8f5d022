/** AI traffic: two separate counts, which must not be added up, and why both are too low. */
import { isSimulatedSource } from "@sov/core/common"
import { atLeast } from "@sov/core/people"
import { type AiTraffic, type CrawlerPurpose, listTrafficDays, type TrafficImport } from "@sov/core/traffic"
import { countBar, sparkline } from "../charts/bars.ts"
import { formatCalendarDay, formatCount } from "../charts/numbers.ts"
import { attributes, type Fragment, type Html, html } from "../html.ts"
import { visible } from "../visible.ts"
import { filterForm } from "./fields.ts"
import type { Frame } from "./Frame.ts"
import { layout } from "./layout.ts"
import { dataTable, emptyState, hidden, numeric } from "./lists.ts"
import { inOrganization } from "./sections.ts"

/** The result of importing a log: what was counted, or why nothing was counted. */
export interface ImportedLog {
  readonly counted: TrafficImport | null
  readonly fault: string | null
}

export interface TrafficContent {
  /** Null = this request sent no log. */
  readonly imported: ImportedLog | null
  readonly traffic: AiTraffic
  /** The filters as given in the address; the plan's history may start later. */
  readonly filters: {
    readonly from?: string | undefined
    readonly to?: string | undefined
    readonly crawlers?: "1" | undefined
  }
}

interface Row {
  readonly name: string
  readonly count: number
  readonly days: ReadonlyArray<{ readonly day: string; readonly count: number }>
  readonly note: string | null
}

const note = (count: number, words: string): string | null => count === 0 ? null : `${formatCount(count)} ${words}`

/** The rows of one signal. All bars use one scale, and all trends use one scale. */
const signalTable = (id: string, what: string, rows: ReadonlyArray<Row>, days: ReadonlyArray<string>): Html => {
  const most = Math.max(0, ...rows.map(({ count }) => count))
  const dayMost = Math.max(1, ...rows.flatMap((row) => row.days.map(({ count }) => count)))
  return dataTable(
    id,
    [what, numeric("Requests"), hidden("Drawing of the requests"), {
      title: "Trend",
      hidden: true,
      class: "wide"
    }],
    rows.map(({ count, days: own, name, note: words }) => {
      const byDay = new Map(own.map((one) => [one.day, one.count]))
      return html`<tr class="own"><th scope="row">${visible(name)}${
        words !== null && html`<br><small>${words}</small>`
      }</th><td class="num"><b>${formatCount(count)}</b></td><td>${countBar(count, most)}</td><td class="wide">${
        days.length > 1 && sparkline(days.map((day) => byDay.get(day) ?? 0), dayMost)
      }</td></tr>`
    })
  )
}

const pagesTable = (id: string, pages: ReadonlyArray<{ readonly path: string; readonly count: number }>): Fragment =>
  pages.length > 0 &&
  html`<h3 id="${id}">Landing pages</h3>${
    dataTable(
      id,
      ["Page", numeric("Requests")],
      pages.map(({ count, path }) =>
        html`<tr><th scope="row" class="break">${visible(path)}</th><td class="num">${formatCount(count)}</td></tr>`
      )
    )
  }`

const signalPanel = (
  { count, id, none, pages, rows, title, words }: {
    readonly id: string
    readonly title: string
    readonly count: number
    readonly words: string
    readonly none: string
    readonly rows: ReadonlyArray<Row>
    readonly pages: ReadonlyArray<{ readonly path: string; readonly count: number }>
  },
  days: ReadonlyArray<string>
): Html =>
  html`<section class="panel" aria-labelledby="${id}"><header><h2 id="${id}">${title}</h2></header><p class="total"><strong>${
    formatCount(count)
  }</strong> ${words}</p>${
    rows.length === 0 ? html`<p class="small">${none}</p>` : signalTable(id, "Assistant", rows, days)
  }${pagesTable(`${id}-pages`, pages)}</section>`

const purposeWords: { readonly [purpose in CrawlerPurpose]: string } = {
  training_or_index: "for a model or an index",
  user_triggered_fetch: "for a person who asked"
}

const crawlersPanel = (crawlers: NonNullable<AiTraffic["crawlers"]>, days: ReadonlyArray<string>): Html =>
  html`<section class="panel" aria-labelledby="crawlers"><header><h2 id="crawlers">Crawlers</h2><p>page fetches, not visits</p></header><p class="total"><strong>${
    formatCount(crawlers.count)
  }</strong> ${crawlers.count === 1 ? "fetch" : "fetches"}</p>${
    crawlers.agents.length > 0 && signalTable(
      "crawlers",
      "Crawler",
      crawlers.agents.map(({ agent, count, days: own, purpose }) => ({
        name: agent,
        count,
        days: own,
        note: purpose === null ? null : purposeWords[purpose]
      })),
      days
    )
  }</section>`

const trafficFilters = ({ organization: { slug } }: Frame, { crawlers, from, to }: TrafficContent["filters"]): Html =>
  filterForm(
    inOrganization(slug, "/traffic"),
    html`<label>From<input type="date" name="from"${
      attributes({ value: from })
    }></label><label>To<input type="date" name="to"${
      attributes({ value: to })
    }></label><label class="check"><input type="checkbox" name="crawlers" value="1"${
      attributes({ checked: crawlers === "1" })
    }> Show crawlers</label>`
  )

const lowerBoundPanel = ({ lowerBound: { caveat, reasons }, sourceVersions }: AiTraffic): Html =>
  html`<section class="panel" aria-labelledby="bound"><header><h2 id="bound">These numbers are a lower bound and must not be added up</h2></header><ul class="bullets">${
    reasons.map((reason) => html`<li>${reason}</li>`)
  }</ul><p>${caveat}</p>${
    sourceVersions.length > 0 &&
    html`<footer>Assistants and crawlers are recognised with the source table ${
      visible(sourceVersions.join(", "))
    }.</footer>`
  }</section>`

const importHint = (isFiltered: boolean): Html =>
  isFiltered
    ? emptyState("No AI traffic in this period", "Remove the dates, or import a log of this period.")
    : emptyState(
      "No log imported yet",
      "Your web server's logs show which visits came from assistants. Import a log below or with the command; nothing is counted twice."
    )

const importedNote = ({ counted, fault }: ImportedLog): Html => {
  if (counted === null) {
    return html`<p class="note warn" role="alert">Nothing was counted: ${visible(fault ?? "")}</p>`
  }
  const { added, found, log: { badLines, lines } } = counted
  const signal = (name: keyof typeof found, words: string) =>
    html`<li>${words}: ${formatCount(found[name])}, ${formatCount(added[name])} of them new</li>`
  return html`<div class="note good" role="status"><p>${formatCount(lines)} lines read${
    badLines > 0 && `, ${formatCount(badLines)} of them in an unknown format`
  }.</p><ul>${signal("referrer", "Referrer signals")}${signal("tag", "Tag-only visits")}${
    signal("crawler", "Crawler requests")
  }</ul></div>`
}

const importPanel = ({ organization: { slug } }: Frame): Html =>
  html`<section class="panel" aria-labelledby="import"><header><h2 id="import">Import a log</h2></header><p class="small">A log of your web server in combined format, JSON lines or CSV, uncompressed, up to 64 MB. <code>sov traffic import</code> accepts larger and compressed logs, and whole folders.</p><form class="fields" method="post" enctype="multipart/form-data" action="${
    inOrganization(slug, "/traffic")
  }"><div class="field"><label for="log">Log</label><input type="file" id="log" name="log" required></div><div class="actions"><button class="primary">Import</button></div></form></section>`

export const trafficPage = (frame: Frame, { filters, imported, traffic }: TrafficContent): Html => {
  const { crawlers, firstDay, lastDay, referrerSignals: referrers, tagOnlyVisits: tags } = traffic
  const days = firstDay === null || lastDay === null ? [] : listTrafficDays(firstDay, lastDay)
  const isEmpty = firstDay === null || lastDay === null
  return layout(frame, {
    title: "AI traffic",
    here: "traffic",
    simulated: traffic.sourceVersions.some(isSimulatedSource),
    summary: isEmpty
      ? "Visits that assistants send to your site"
      : `${formatCalendarDay(new Date(firstDay))} to ${formatCalendarDay(new Date(lastDay))} (UTC)`,
    actions: !isEmpty &&
      html`<div class="actions"><a class="button" href="${
        inOrganization(frame.organization.slug, "/traffic/pages.csv", { ...filters })
      }">Landing pages as CSV</a><a class="button" href="${
        inOrganization(frame.organization.slug, "/traffic.csv", { ...filters })
      }">Download CSV</a></div>`,
    body: html`${imported !== null && importedNote(imported)}${trafficFilters(frame, filters)}<div class="grid">${
      isEmpty
        ? html`<section class="panel">${
          importHint(filters.from !== undefined || filters.to !== undefined || frame.since !== null)
        }</section>`
        : html`<div class="grid two">${
          signalPanel({
            id: "referrers",
            title: "Referrer signals",
            count: referrers.count,
            words: `${referrers.count === 1 ? "request" : "requests"} from an assistant's page${
              referrers.tagged === 0 ? "" : `; ${formatCount(referrers.tagged)} also tagged`
            }`,
            none: "None in this period.",
            rows: referrers.assistants.map(({ count, days: own, name, tagged }) => ({
              name,
              count,
              days: own,
              note: note(tagged, "also tagged")
            })),
            pages: referrers.landingPages
          }, days)
        }${
          signalPanel({
            id: "tags",
            title: "Tag-only visits",
            count: tags.count,
            words: `${tags.count === 1 ? "request" : "requests"} with only a tag${
              tags.foreignReferrer === 0 ? "" : `; ${formatCount(tags.foreignReferrer)} from other sites`
            }`,
            none: "None in this period.",
            rows: tags.assistants.map(({ count, days: own, foreignReferrer, name }) => ({
              name,
              count,
              days: own,
              note: note(foreignReferrer, "from other sites")
            })),
            pages: tags.landingPages
          }, days)
        }</div>${crawlers !== null && crawlersPanel(crawlers, days)}`
    }${lowerBoundPanel(traffic)}${atLeast(frame.role, "member") && importPanel(frame)}</div>`
  })
}
