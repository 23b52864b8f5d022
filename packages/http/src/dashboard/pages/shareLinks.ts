/** Share links: the list of links, and the form that creates one. */
import type { AuditEntryId } from "@sov/core/common"
import { defaultShareDays, maxShareName, type ShareLink, shareLinkState } from "@sov/core/sharing"
import { formatCalendarDay, formatDate, formatMinute } from "../charts/numbers.ts"
import { type Html, html } from "../html.ts"
import { visible } from "../visible.ts"
import { confirmPage } from "./confirm.ts"
import { choiceField, type Faults, formIdField, refusedNote, textField } from "./forms.ts"
import type { Frame } from "./Frame.ts"
import { layout } from "./layout.ts"
import { dataTable, emptyState, hidden, wideColumn } from "./lists.ts"
import { declareList, hasSearch, type ListQuery, type ListViewOf, searchForm, sortHeads, viewRows } from "./listView.ts"
import { inOrganization } from "./sections.ts"
import { copyBox, thisComputerNote } from "./snippets.ts"

/** The values of the form for a new link; days are in the format of date fields, empty = no limit. */
export interface ShareInput {
  readonly name: string
  readonly from: string
  readonly to: string
  readonly days: string
  readonly answers: boolean
}

/** The list of links. One page shows them all. */
export const shareList = declareList({
  text: ({ name }: ShareLink) => name,
  by: {
    name: ({ name }) => name,
    ends: ({ expiresAt, revokedAt }) => (revokedAt ?? expiresAt).getTime(),
    opened: ({ lastUsedAt }) => lastUsedAt?.getTime() ?? null,
    created: ({ createdAt }) => createdAt.getTime()
  },
  usual: "-created",
  perPage: 10_000
})

export interface ShareLinksContent {
  readonly view: ListViewOf<typeof shareList>
  readonly links: ReadonlyArray<ShareLink>
  /** Scheme and host of this server. */
  readonly serverUrl: string
  readonly formId: AuditEntryId
  readonly input: ShareInput
  readonly faults: Faults<"name" | "from" | "to" | "days">
  /** A link that was just created; only this page shows it. */
  readonly made: { readonly link: ShareLink; readonly token: string } | null
}

export const emptyShareInput: ShareInput = {
  name: "",
  from: "",
  to: "",
  days: String(defaultShareDays),
  answers: false
}

/** How long a link can work: in days for the form, and in words. */
export const shareDayChoices = [
  ["7", "7 days"],
  ["30", "30 days"],
  ["90", "90 days"],
  ["366", "a year"]
] as const

const describePeriod = ({ from, to }: ShareLink): string =>
  from === null && to === null
    ? "the latest scan and earlier ones"
    : `${from === null ? "the beginning" : formatCalendarDay(from)} to ${to === null ? "today" : formatCalendarDay(to)}`

const looks = { active: "pill good", expired: "pill", revoked: "pill bad" } as const

const linkRow = (frame: Frame, link: ShareLink): Html => {
  const { createdAt, expiresAt, id, lastUsedAt, name, revokedAt, withAnswers } = link
  const state = shareLinkState(link, frame.at)
  return html`<tr><th scope="row" class="break">${visible(name)}<br><small>${describePeriod(link)}${
    withAnswers && ", with answer texts"
  }</small></th><td><span class="${looks[state]}">${state}</span><br><small>${
    revokedAt === null ? `until ${formatDate(expiresAt)}` : `on ${formatDate(revokedAt)}`
  }</small></td><td>${
    lastUsedAt === null
      ? "never"
      : html`<time datetime="${lastUsedAt.toISOString()}">${formatMinute(lastUsedAt)}</time>`
  }</td><td class="wide">${formatDate(createdAt)}</td><td class="num"><span class="actions">${
    state === "active" &&
    html`<a class="button danger" href="${
      inOrganization(frame.organization.slug, `/settings/shares/${id}/revoke`)
    }">Revoke…<span class="hidden"> ${visible(name)}</span></a>`
  }</span></td></tr>`
}

const linksPanel = (frame: Frame, { links, view }: ShareLinksContent): Html => {
  const at = (query: ListQuery) => inOrganization(frame.organization.slug, "/settings/shares", { ...query })
  const head = sortHeads(view, at)
  const linksTable = (labelledBy: string, rows: ReadonlyArray<ShareLink>): Html =>
    dataTable(
      labelledBy,
      [
        head("name", { title: "For" }, "ascending"),
        head("ends", { title: "State" }),
        head("opened", { title: "Last opened" }),
        head("created", wideColumn("Created")),
        hidden("Change")
      ],
      rows.map((link) => linkRow(frame, link)),
      "stacked"
    )
  const { rows } = viewRows(links, { ...view, page: 1 }, shareList)
  const [working, ended] = [true, false].map((side) =>
    rows.filter((link) => (shareLinkState(link, frame.at) === "active") === side)
  )
  return html`<section class="panel" aria-labelledby="links"><header><h2 id="links">Links</h2></header>${
    hasSearch(links, view) && searchForm(at({}), "Search links", view)
  }${
    rows.length < links.length && working!.length === 0
      ? emptyState("No matching active links", "Search for another name.")
      : working!.length === 0
      ? emptyState("No share links yet", "Create a link to share a report with people without an account.")
      : linksTable("links", working!)
  }${
    ended!.length > 0 &&
    html`<details class="data"><summary id="ended">${ended!.length} revoked or expired</summary>${
      linksTable("ended", ended!)
    }</details>`
  }</section>`
}

const createPanel = (frame: Frame, { faults, formId, input }: ShareLinksContent): Html =>
  html`<section class="panel" aria-labelledby="create"><header><h2 id="create">Create a link</h2></header>${
    refusedNote(faults)
  }<form class="fields" method="post" action="${inOrganization(frame.organization.slug, "/settings/shares")}">${
    formIdField(formId)
  }${
    textField({
      name: "name",
      label: "For",
      value: input.name,
      required: true,
      maxLength: maxShareName,
      hint: "Who gets the link",
      fault: faults.name
    })
  }${
    textField({
      name: "from",
      label: "From",
      type: "date",
      value: input.from,
      hint: "Scans from this day; leave empty for the latest scan and those it is compared with",
      fault: faults.from
    })
  }${
    textField({
      name: "to",
      label: "To",
      type: "date",
      value: input.to,
      hint: "Scans until this day; leave empty for the latest scan when the link is opened",
      fault: faults.to
    })
  }${
    choiceField({
      type: "radio",
      name: "days",
      label: "Expires after",
      choices: shareDayChoices,
      chosen: [input.days],
      fault: faults.days
    })
  }${
    choiceField({
      type: "checkbox",
      name: "answers",
      label: "Contents",
      choices: [["yes", "Include answer texts"]],
      chosen: input.answers ? ["yes"] : [],
      fault: undefined
    })
  }<div class="actions"><button class="primary">Create link</button></div></form></section>`

const newLinkNote = (serverUrl: string, { link, token }: NonNullable<ShareLinksContent["made"]>): Html =>
  html`<div class="once" role="status"><h2>The link for “${
    visible(link.name)
  }”</h2><p class="small">Copy it now: you will not be able to see it again. Anyone who has the link can see the report until ${
    formatDate(link.expiresAt)
  }, or until you revoke it.</p>${copyBox("share", `${serverUrl}/share/${token}`)}${thisComputerNote(serverUrl)}</div>`

export const shareLinksPage = (frame: Frame, content: ShareLinksContent): Html => {
  const { made, serverUrl } = content
  const { slug } = frame.organization
  return layout(frame, {
    title: "Share links",
    here: "settings",
    summary: html`<a href="${inOrganization(slug, "/settings")}">Settings</a> · reports for people without an account`,
    actions: html`<a class="button" href="${inOrganization(slug, "/settings/shares.csv")}">Download CSV</a>`,
    body: html`${made !== null && newLinkNote(serverUrl, made)}<div class="grid">${linksPanel(frame, content)}${
      createPanel(frame, content)
    }</div>`
  })
}

/** Asks for confirmation before a link is revoked, and states the consequences. */
export const revokeShareLinkPage = (
  frame: Frame,
  { formId, link }: { readonly link: ShareLink; readonly formId: AuditEntryId }
): Html =>
  confirmPage(frame, {
    title: `Revoke the link for ${link.name}`,
    here: "settings",
    back: { path: "/settings/shares", name: "Share links" },
    action: `/settings/shares/${link.id}/revoke`,
    formId,
    consequences: [
      "The link stops working immediately. Copies that people have saved are not affected.",
      "This cannot be undone, but you can create another link."
    ],
    button: html`<button class="danger">Revoke link</button>`
  })
