/** The layout that all pages share. */
import { atLeast } from "@sov/core/people"
import { to } from "../Address.ts"
import { assetAddress } from "../assets.ts"
import { formatDate, formatMinute } from "../charts/numbers.ts"
import { attributes, type Fragment, type Html, html } from "../html.ts"
import { visible } from "../visible.ts"
import { withMeanings } from "./explain.ts"
import type { Frame, Theme } from "./Frame.ts"
import { inOrganization, type Section, type SectionId, sections } from "./sections.ts"

/** Reloads the page if the browser runs no scripts. */
const refresh = html`<noscript><meta http-equiv="refresh" content="5"></noscript>`

const head = (title: string, refreshes = false): Html =>
  html`<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${
    visible(title)
  } · sov</title><link rel="icon" href="${assetAddress("icon.svg")}"><link rel="stylesheet" href="${
    assetAddress("style.css")
  }"><script src="${assetAddress("enhance.js")}" defer></script>${refreshes && refresh}</head>`

const logo =
  html`<svg width="26" height="26" viewBox="0 0 26 26" aria-hidden="true"><rect width="26" height="26" rx="7" fill="currentColor" opacity=".09"></rect><path d="M8 17.5v-4M13 17.5v-9M18 17.5V11" stroke="currentColor" stroke-width="2.6" stroke-linecap="round" fill="none"></path></svg>`

const link = (
  { organization: { slug }, period = {} }: Frame,
  here: SectionId | null,
  { hasPeriod, icon, id, name, path }: Section
): Html =>
  html`<a href="${inOrganization(slug, path, hasPeriod === true ? period : {})}"${
    attributes({ "aria-current": here === id && "page" })
  }><svg viewBox="0 0 16 16" aria-hidden="true"><path d="${icon}"></path></svg>${name}</a>`

/** Most organizations in the menu of each page; the portfolio searches all of them. */
const maxSwitched = 12

const organizationSwitch = ({ organization, organizations }: Frame): Fragment =>
  organizations.length > 1 &&
  html`<details class="switch"><summary>Other organizations</summary>${html`<a href="${to("/portfolio")}">${
    organizations.length > maxSwitched ? `Search all ${organizations.length}` : "Compare all"
  }</a>`}${
    organizations.filter(({ slug }) => slug !== organization.slug).slice(0, maxSwitched).map(({ name, slug }) =>
      html`<a href="${inOrganization(slug, "")}">${visible(name)}</a>`
    )
  }</details>`

const navigation = (frame: Frame, here: SectionId | null, label: string): Html => {
  const { person, role } = frame
  const [read, manage] = [false, true].map((side) =>
    sections.filter(({ least = "viewer", manage }) => (manage === true) === side && atLeast(role, least))
  )
  const links = (own: ReadonlyArray<Section>) => own.map((section) => link(frame, here, section))
  return html`<nav class="nav" aria-label="${label}">${links(read!)}${manage!.length > 0 && html`<h2>Manage</h2>`}${
    links(manage!)
  }${organizationSwitch(frame)}<form class="who" method="post" action="${to("/logout")}">${
    visible(person.name)
  } · ${role}<br><a href="${to("/account")}">Account</a> · <button class="link">Sign out</button></form></nav>`
}

/** The content of a page for a member. */
export interface PageContent {
  readonly title: string
  /** The menu entry to highlight; null = none. */
  readonly here: SectionId | null
  /** Whether the content comes from simulated answers. */
  readonly simulated?: boolean
  /** Whether the page reloads every five seconds if the browser runs no scripts. */
  readonly refreshes?: boolean
  /** Buttons and links next to the title. */
  readonly actions?: Fragment
  /** A line below the title. */
  readonly summary?: Fragment
  readonly body: Fragment
}

/** A banner above content that is based on simulated answers. */
export const simulatedBanner =
  html`<p class="simulated"><span class="tag">Simulated</span><span>Made-up platforms and invented answers: no number here is real.</span></p>`

/** A complete page with the menu, the message of the last form, and an "as of" line. */
export const layout = (
  frame: Frame,
  { actions, body, here, refreshes, simulated = false, summary, title }: PageContent
): Html => {
  const { at, done, organization, since, theme } = frame
  return html`<!doctype html><html lang="en"${attributes({ "data-theme": theme })}>${
    head(`${title} · ${organization.name}`, refreshes)
  }
<body><a class="skip" href="${to("#main")}">Skip to content</a>
<header class="rail"><a class="brand" href="${inOrganization(organization.slug, "")}">${logo}<span>${
    visible(organization.name)
  }<small>Share of voice</small></span></a>
<details class="menu"><summary>Menu</summary>${navigation(frame, here, "Pages, in the menu")}</details>${
    navigation(frame, here, "Pages")
  }</header>
<main id="main" tabindex="-1">${simulated && simulatedBanner}${
    done !== null && html`<p class="note good" role="status">${done}</p>`
  }
<div class="top"><div><h1>${visible(title)}</h1>${
    summary !== undefined && html`<p>${summary}</p>`
  }</div>${actions}</div>
${withMeanings(html`${body}`)}
<footer class="foot">As of <time datetime="${at.toISOString()}">${formatMinute(at)}</time>${
    since !== null && html` · Your plan shows data since ${formatDate(since)}.`
  }</footer></main></body></html>`
}

/**
 * A page without a menu, for people who are not signed in, for errors, and (`wide`) for content that belongs to no
 * organization.
 */
export const bareLayout = (
  title: string,
  body: Fragment,
  { theme, wide = false }: { readonly theme: Theme | null; readonly wide?: boolean }
): Html =>
  html`<!doctype html><html lang="en"${attributes({ "data-theme": theme })}>${head(title)}
<body class="bare"><main id="main">${
    wide ? withMeanings(html`${body}`) : html`<div class="door">${body}</div>`
  }</main></body></html>`
