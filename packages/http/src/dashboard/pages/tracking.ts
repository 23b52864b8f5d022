/** Everything that determines what is asked and which names are searched for, on one page. */
import { pluralized } from "@sov/core/common"
import { atLeast } from "@sov/core/people"
import type { Brand, Competitor, KeywordStatus, TrackedSet } from "@sov/core/tracking"
import { formatDate } from "../charts/numbers.ts"
import { type Fragment, type Html, html } from "../html.ts"
import { visible } from "../visible.ts"
import type { Frame } from "./Frame.ts"
import { addKeywordsForm } from "./keywords.ts"
import { layout } from "./layout.ts"
import { dataTable, emptyState, factList, hidden, wideColumn } from "./lists.ts"
import { addOptions, type NamesForm, namesForm } from "./names.ts"
import { inOrganization } from "./sections.ts"

export interface TrackingContent {
  /** The tracked names; null if no brand is set. */
  readonly names: TrackedSet | null
  /** Number of scored scans that were measured with other names or rules than the current ones. */
  readonly measuredOtherwise: number
  readonly keywords: { readonly [status in KeywordStatus]: number }
  /** The form for a new competitor; the form for questions uses the same id. */
  readonly form: NamesForm
}

const orDash = (terms: ReadonlyArray<string>): Html => html`${terms.length === 0 ? "–" : visible(terms.join(", "))}`

/** The names of the brand as a list of facts. */
export const brandFacts = ({ aliases, context, domains, excludes, name }: Brand): Html =>
  factList([
    ["Name", visible(name)],
    ["Also known as", orDash(aliases)],
    ["Domains", orDash(domains)],
    ["Excluded terms", orDash(excludes)],
    context !== undefined && ["Context words", orDash(context)]
  ])

const keywordsPanel = (frame: Frame, { form, keywords: { active, archived, paused } }: TrackingContent): Html => {
  const { organization: { slug }, role } = frame
  return html`<section class="panel" aria-labelledby="keywords"><header><h2 id="keywords">Questions</h2><p><a href="${
    inOrganization(slug, "/keywords")
  }">${active} active, ${paused} paused, ${archived} removed</a></p></header>${
    atLeast(role, "member") &&
    html`${
      addKeywordsForm(frame, form.formId, null)
    }<footer>The next scan asks new questions. Pause, resume and remove questions in <a href="${
      inOrganization(slug, "/keywords")
    }">the list</a>. Earlier scans keep their numbers.</footer>`
  }</section>`
}

const brandPanel = (frame: Frame, brand: Brand | null): Html => {
  const link = inOrganization(frame.organization.slug, "/competitors/brand")
  const mayChange = atLeast(frame.role, "member")
  if (brand === null) {
    return html`<section class="panel">${
      emptyState(
        "No brand yet",
        "sov measures the share of voice of your brand.",
        mayChange ? html`<a class="button primary" href="${link}">Set the brand</a>` : undefined
      )
    }</section>`
  }
  return html`<section class="panel" aria-labelledby="brand"><header><h2 id="brand">Your brand</h2>${
    mayChange && html`<a class="button" href="${link}">Edit</a>`
  }</header>${brandFacts(brand)}</section>`
}

const competitorRow = ({ organization: { slug }, role }: Frame, { aliases, domains, id, name }: Competitor): Html =>
  html`<tr><th scope="row" class="break">${visible(name)}</th><td class="break wide">${
    orDash(aliases)
  }</td><td class="break wide">${orDash(domains)}</td>${
    atLeast(role, "member") &&
    html`<td class="num"><span class="actions"><a class="button" href="${
      inOrganization(slug, `/competitors/${id}`)
    }">Edit<span class="hidden"> ${visible(name)}</span></a><a class="button danger" href="${
      inOrganization(slug, `/competitors/${id}/remove`)
    }">Remove…<span class="hidden"> ${visible(name)}</span></a></span></td>`
  }</tr>`

const competitorsPanel = (frame: Frame, competitors: ReadonlyArray<Competitor>): Html =>
  html`<section class="panel" aria-labelledby="competitors"><header><h2 id="competitors">Competitors</h2><p>${
    pluralized(competitors.length, "competitor")
  }</p></header>${
    competitors.length === 0
      ? emptyState("No competitors yet", "A share of voice means most next to those of competitors.")
      : dataTable(
        "competitors",
        [
          "Name",
          wideColumn("Also known as"),
          wideColumn("Domains"),
          ...atLeast(frame.role, "member") ? [hidden("Change")] : []
        ],
        competitors.map((one) => competitorRow(frame, one))
      )
  }</section>`

const measuredNote = (
  { organization: { slug }, role }: Frame,
  { measuredOtherwise, names }: TrackingContent
): Fragment =>
  names !== null && measuredOtherwise > 0 &&
  html`<p class="note warn">Names or topics were last changed on ${formatDate(names.createdAt)}; ${
    pluralized(measuredOtherwise, "scan")
  } ${measuredOtherwise === 1 ? "is" : "are"} measured with different names, topics or rules. ${
    atLeast(role, "member") &&
    html`<a href="${inOrganization(slug, "/competitors/measure")}">See what would change, and measure again</a>`
  }</p>`

export const trackingPage = (frame: Frame, content: TrackingContent): Html => {
  const { form, names } = content
  return layout(frame, {
    title: "Tracking",
    here: "settings",
    summary: html`<a href="${inOrganization(frame.organization.slug, "/settings")}">Settings</a>`,
    body: html`${measuredNote(frame, content)}<div class="grid">${brandPanel(frame, names?.brand ?? null)}${
      names !== null && competitorsPanel(frame, names.competitors)
    }${
      names !== null && atLeast(frame.role, "member") &&
      html`<section class="panel" aria-labelledby="add"><header><h2 id="add">Add a competitor</h2></header>${
        namesForm(frame, form, addOptions)
      }</section>`
    }${keywordsPanel(frame, content)}</div>`
  })
}
