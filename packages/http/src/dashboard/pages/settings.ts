/** The page of settings: everything that an organization can set, with links. */
import { atLeast, type Role } from "@sov/core/people"
import { type Html, html } from "../html.ts"
import type { Frame } from "./Frame.ts"
import { layout } from "./layout.ts"
import { inOrganization } from "./sections.ts"

interface SettingsPage {
  readonly name: string
  /** The path of the page, without `/o/{slug}`. */
  readonly path: `/${string}`
  /** What can be set there, in one line. */
  readonly words: string
  readonly least: Role
}

interface SettingsGroup {
  readonly id: string
  readonly title: string
  readonly pages: ReadonlyArray<SettingsPage>
}

const groups: ReadonlyArray<SettingsGroup> = [
  {
    id: "measured",
    title: "What is measured",
    pages: [
      {
        name: "Tracking",
        path: "/settings/tracking",
        words: "Brand, competitors and questions on one page",
        least: "viewer"
      },
      { name: "Questions", path: "/keywords", words: "The questions that scans ask", least: "viewer" },
      {
        name: "Brand and competitors",
        path: "/competitors",
        words: "The names that sov looks for in answers",
        least: "viewer"
      },
      { name: "Business card", path: "/card", words: "Facts about your company for machines", least: "viewer" },
      {
        name: "Export the archive",
        path: "/settings/export",
        words: "Every answer as a file, with the seals that prove it",
        least: "viewer"
      }
    ]
  },
  {
    id: "installation",
    title: "Installation",
    pages: [
      {
        name: "Time zone",
        path: "/settings/organization",
        words: "In which times are shown and mailed",
        least: "owner"
      },
      {
        name: "Plan and quota",
        path: "/settings/plan",
        words: "What your plan includes, and what is left this month",
        least: "viewer"
      },
      {
        name: "Answer platforms",
        path: "/settings/platforms",
        words: "Status and cost of each platform",
        least: "viewer"
      },
      { name: "System status", path: "/settings/system", words: "Workers, running scans and e-mails", least: "owner" }
    ]
  },
  {
    id: "running",
    title: "Automation",
    pages: [
      {
        name: "Alert settings",
        path: "/settings/alerts",
        words: "Which changes raise an alert, and who is notified",
        least: "viewer"
      },
      { name: "Schedule", path: "/settings/schedule", words: "When scans start automatically", least: "viewer" }
    ]
  },
  {
    id: "access",
    title: "Access",
    pages: [
      { name: "API access", path: "/settings/api", words: "Keys of the REST API and the tool server", least: "owner" },
      {
        name: "Outbound webhooks",
        path: "/settings/webhooks",
        words: "Endpoints that receive events, and their deliveries",
        least: "owner"
      },
      {
        name: "Branding",
        path: "/settings/branding",
        words: "Logo, title, colours and sender of reports and e-mails",
        least: "owner"
      },
      {
        name: "Share links",
        path: "/settings/shares",
        words: "Reports for people without an account",
        least: "owner"
      },
      { name: "Members", path: "/settings/members", words: "Who has access, and their roles", least: "owner" },
      { name: "Audit log", path: "/settings/audit", words: "Who changed what, and when", least: "owner" }
    ]
  }
]

export const settingsPage = (frame: Frame): Html => {
  const { organization: { slug }, role } = frame
  const shown = groups.map((group) => ({ ...group, pages: group.pages.filter(({ least }) => atLeast(role, least)) }))
    .filter(({ pages }) => pages.length > 0)
  return layout(frame, {
    title: "Settings",
    here: "settings",
    body: html`<div class="grid two">${
      shown.map(({ id, pages, title }) =>
        html`<section class="panel" aria-labelledby="${id}"><header><h2 id="${id}">${title}</h2></header><ul class="links">${
          pages.map(({ name, path, words }) =>
            html`<li><a href="${inOrganization(slug, path)}">${name}</a><br><small>${words}</small></li>`
          )
        }</ul></section>`
      )
    }</div>`
  })
}
