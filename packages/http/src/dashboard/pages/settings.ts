/** Settings: what an organization can set, and where. */
import { atLeast, type Role } from "@sov/core/people"
import { type Html, html } from "../html.ts"
import type { Frame } from "./Frame.ts"
import { layout } from "./layout.ts"
import { inOrganization } from "./sections.ts"

interface SettingsPage {
  readonly name: string
  /** After `/o/{slug}`. */
  readonly path: `/${string}`
  /** What it is for, in one line. */
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
      { name: "Keywords", path: "/keywords", words: "The questions that platforms are asked", least: "viewer" },
      {
        name: "Brand and competitors",
        path: "/competitors",
        words: "The names that answers are read for",
        least: "viewer"
      },
      { name: "Business card", path: "/card", words: "What machines should know of the company", least: "viewer" },
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
      { name: "Plan and quota", path: "/settings/plan", words: "What is included, and what is left", least: "viewer" },
      {
        name: "Answer platforms",
        path: "/settings/platforms",
        words: "What is asked, how it does, and what it costs",
        least: "viewer"
      },
      { name: "System status", path: "/settings/system", words: "Workers, and what waits for them", least: "owner" }
    ]
  },
  {
    id: "running",
    title: "What happens by itself",
    pages: [
      {
        name: "Alert settings",
        path: "/settings/alerts",
        words: "Which changes raise an alert, and who is mailed",
        least: "viewer"
      },
      { name: "Schedule", path: "/settings/schedule", words: "When scans start by themselves", least: "viewer" }
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
        words: "Where events are posted, signed, and what came of it",
        least: "owner"
      },
      {
        name: "Share links",
        path: "/settings/shares",
        words: "The report of a period, for people who do not sign in",
        least: "owner"
      },
      { name: "Members", path: "/settings/members", words: "Who may sign in, and as what", least: "owner" },
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
