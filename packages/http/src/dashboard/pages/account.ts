/** The account page of a person, independent of any organization. */
import type { Place, SessionId } from "@sov/core/common"
import type { Membership, Person, Session } from "@sov/core/people"
import { to } from "../Address.ts"
import { formatMinute } from "../charts/numbers.ts"
import type { ChosenFormats } from "../guard/place.ts"
import { attributes, type Html, html } from "../html.ts"
import { visible } from "../visible.ts"
import { selectField } from "./fields.ts"
import { type Theme, themes } from "./Frame.ts"
import { type SignInWaysContent, signInWaysSection } from "./identities.ts"
import { bareLayout } from "./layout.ts"
import { dataTable, hidden, wideColumn } from "./lists.ts"
import { localeChoices } from "./locales.ts"
import { inOrganization } from "./sections.ts"

export interface AccountContent extends SignInWaysContent {
  readonly person: Person
  readonly memberships: ReadonlyArray<Membership>
  /** Signed-in browsers, most recently used first. */
  readonly sessions: ReadonlyArray<Session>
  /** The session of this browser. */
  readonly current: SessionId
  readonly theme: Theme | null
  readonly chosen: ChosenFormats
  readonly place: Place
  readonly at: Date
  readonly done: string | null
}

const themeNames = { light: "Light", dark: "Dark" } as const

const themeForm = (chosen: Theme | null): Html => {
  const option = (theme: Theme | null, name: string) =>
    html`<label><input type="radio" name="theme"${
      attributes({ value: theme ?? "system", checked: theme === chosen })
    }> ${name}</label>`
  return html`<form class="fields" method="post" action="${
    to("/account/theme")
  }"><fieldset><legend>Theme of this browser</legend>${option(null, "System default")}${
    themes.map((theme) => option(theme, themeNames[theme]))
  }</fieldset><div class="actions"><button>Save</button></div></form>`
}

const separatorNames = { comma: "Comma", semicolon: "Semicolon", tab: "Tab" } as const

const formatsForm = ({ at, chosen, place }: AccountContent): Html =>
  html`<form class="fields" method="post" action="${to("/account/formats")}">${
    selectField({
      name: "locale",
      label: "Numbers and dates",
      all: `Language of this browser (${chosen.locale === null ? place.locale : "default"})`,
      choices: localeChoices(at),
      chosen: chosen.locale
    })
  }${
    selectField({
      name: "separator",
      label: "Between the cells of a CSV",
      all: "Default (comma)",
      choices: Object.entries(separatorNames),
      chosen: chosen.separator
    })
  }<p class="small">Times are in the time zone of each organization. The interface is in English. <code>?separator=semicolon</code> at the end of the address of a CSV works, too. Decimals in a CSV keep a point with every separator.</p><div class="actions"><button>Apply</button></div></form>`

/** Text such as "2 minutes ago", precise to a minute like the recorded last use of a session. */
const formatAgo = (seenAt: Date, at: Date): string => {
  const minutes = Math.max(0, Math.floor((at.getTime() - seenAt.getTime()) / 60_000))
  const [count, unit] = minutes < 60
    ? [minutes, "minute"]
    : minutes < 1_440
    ? [Math.floor(minutes / 60), "hour"]
    : [Math.floor(minutes / 1_440), "day"]
  return minutes < 2 ? "now" : `${count} ${unit}${count === 1 ? "" : "s"} ago`
}

const sessionRow = ({ agent, createdAt, id, seenAt }: Session, { at, current }: AccountContent): Html =>
  html`<tr><th scope="row">${visible(agent)}${
    id === current && html` <span class="pill on">this browser</span>`
  }</th><td>${formatAgo(seenAt, at)}</td><td class="wide">${formatMinute(createdAt)}</td><td class="num">${
    id !== current &&
    html`<form method="post" action="${
      to(`/account/sessions/${id}/end`)
    }"><button class="danger">Sign out<span class="hidden"> ${visible(agent)}, last seen ${
      formatAgo(seenAt, at)
    }</span></button></form>`
  }</td></tr>`

export const accountPage = (content: AccountContent): Html => {
  const { done, memberships, person, sessions, theme } = content
  return bareLayout(
    "Account",
    html`${done !== null && html`<p class="note good" role="status">${done}</p>`}<div class="top"><div><h1>${
      visible(person.name)
    }</h1><p>${
      person.email === null ? "no e-mail address" : visible(person.email)
    }</p></div><form method="post" action="${to("/logout")}"><button>Sign out</button></form></div><div class="grid">
<section class="panel" aria-labelledby="organizations"><header><h2 id="organizations">Organizations</h2></header>${
      memberships.length === 0
        ? html`<p class="small">None.</p>`
        : html`<ul class="sources">${
          memberships.map(({ organization: { name, slug }, role }) =>
            html`<li><a href="${inOrganization(slug, "")}">${visible(name)}</a> <small>${role}</small></li>`
          )
        }</ul><footer><a href="${to("/portfolio")}">Your organizations side by side</a></footer>`
    }</section>
<section class="panel" aria-labelledby="formats"><header><h2 id="formats">Numbers, dates and CSV</h2></header>${
      formatsForm(content)
    }</section>
<section class="panel" aria-labelledby="theme"><header><h2 id="theme">Theme</h2></header>${themeForm(theme)}</section>
${signInWaysSection(content)}
<section class="panel" aria-labelledby="sessions"><header><h2 id="sessions">Signed-in browsers</h2>${
      sessions.length > 1 &&
      html`<form method="post" action="${
        to("/account/sessions/end")
      }"><button class="danger">Sign out all others</button></form>`
    }</header>${
      dataTable(
        "sessions",
        ["Browser", "Last seen", wideColumn("Signed in"), hidden("Change")],
        sessions.map((session) => sessionRow(session, content))
      )
    }</section></div>`,
    { theme, wide: true }
  )
}
