/** API access: the keys for the REST API and the tool server, and how clients use a key. */
import { type ApiKey, isUsable, type KeyScope, keyScopes, type KeyWithMaker, mcpClients } from "@sov/core/access"
import type { AuditEntryId } from "@sov/core/common"
import { maxNameLength, type PlanId, plans } from "@sov/core/organizations"
import { formatDate, formatMinute } from "../charts/numbers.ts"
import { type Html, html } from "../html.ts"
import { visible } from "../visible.ts"
import { confirmPage } from "./confirm.ts"
import { choiceField, type Faults, formIdField, refusedNote, textField } from "./forms.ts"
import type { Frame } from "./Frame.ts"
import { layout } from "./layout.ts"
import { dataTable, emptyState, hidden, wideColumn } from "./lists.ts"
import { declareList, hasSearch, type ListQuery, type ListViewOf, searchForm, sortHeads, viewRows } from "./listView.ts"
import { inOrganization } from "./sections.ts"
import { copyBox, snippetList } from "./snippets.ts"

/** The values of the form for a new key. */
export interface KeyInput {
  readonly name: string
  readonly scopes: ReadonlyArray<string>
  /** The last day on which the key works; empty = the key never expires. */
  readonly expires: string
}

/** A key that was just created; only this page shows its secret. */
export interface NewKey {
  readonly key: ApiKey
  readonly secret: string
  /** The replaced key, with the time until which it still works; null = no key was replaced. */
  readonly replaced: ApiKey | null
}

/** A key in short form, such as `sov_live_4fQ2…k9Zs`. */
const keyText = ({ lastFour, prefix }: Pick<ApiKey, "prefix" | "lastFour">): string => `${prefix}…${lastFour}`

/** The list of keys. One page shows them all: nobody has that many. */
export const keyList = declareList({
  text: ({ key, maker }: KeyWithMaker) => [key.name, keyText(key), maker?.name].join(" "),
  by: {
    name: ({ key }) => key.name,
    used: ({ key }) => key.lastUsedAt?.getTime() ?? null,
    created: ({ key }) => key.createdAt.getTime()
  },
  usual: "created",
  perPage: 10_000
})

export interface ApiAccessContent {
  readonly view: ListViewOf<typeof keyList>
  readonly plan: PlanId
  readonly keys: ReadonlyArray<KeyWithMaker>
  /** Scheme and host of this server. */
  readonly serverUrl: string
  readonly formId: AuditEntryId
  readonly input: KeyInput
  readonly faults: Faults<"name" | "scopes" | "expires">
  readonly made: NewKey | null
}

export const emptyKeyInput: KeyInput = { name: "", scopes: ["read"], expires: "" }

const scopeWords: { readonly [scope in KeyScope]: string } = {
  read: "read: scores, scans and the archive over REST, and every tool",
  scan: "scan: starts scans, which use the monthly quota"
}

/** The state of a key in one word, and details if there are any. */
const describeState = (key: ApiKey, at: Date): readonly [look: string, word: string, more: string | null] => {
  const { expiresAt, revokedAt, rolled } = key
  if (revokedAt !== null) return ["pill bad", "revoked", `on ${formatDate(revokedAt)}`]
  if (!isUsable(key, at)) return ["pill", "expired", `on ${formatDate(expiresAt!)}`]
  if (rolled) return ["pill warn", "replaced", `works until ${formatMinute(expiresAt!)}`]
  return ["pill good", "active", expiresAt === null ? null : `until ${formatDate(expiresAt)}`]
}

const keyRow = (frame: Frame, { key, maker }: KeyWithMaker, mayRoll: boolean): Html => {
  const { id, lastUsedAt, name, revokedAt, rolled, scopes } = key
  const [look, word, more] = describeState(key, frame.at)
  const at = (verb: "roll" | "revoke") => inOrganization(frame.organization.slug, `/settings/api/${id}/${verb}`)
  const usable = isUsable(key, frame.at)
  return html`<tr><th scope="row" class="break">${visible(name)}<br><code>${keyText(key)}</code></th><td class="wide">${
    scopes.join(", ")
  }</td><td><span class="${look}">${word}</span>${
    more !== null && html`<br><small>${more}</small>`
  }</td><td data-name="used">${
    lastUsedAt === null
      ? "never"
      : html`<time datetime="${lastUsedAt.toISOString()}">${formatMinute(lastUsedAt)}</time>`
  }</td><td class="wide">${formatDate(key.createdAt)}${
    maker !== null && html`<br><small>by ${visible(maker.name)}</small>`
  }</td><td class="num"><span class="actions">${
    mayRoll && usable && !rolled &&
    html`<a class="button" href="${at("roll")}">Roll…<span class="hidden"> ${visible(name)}</span></a>`
  }${
    revokedAt === null && usable &&
    html`<a class="button danger" href="${at("revoke")}">Revoke…<span class="hidden"> ${visible(name)}</span></a>`
  }</span></td></tr>`
}

const keysTable = (
  labelledBy: string,
  frame: Frame,
  keys: ReadonlyArray<KeyWithMaker>,
  { plan, view }: ApiAccessContent
): Html => {
  const at = (query: ListQuery) => inOrganization(frame.organization.slug, "/settings/api", { ...query })
  const head = sortHeads(view, at)
  return dataTable(
    labelledBy,
    [
      head("name", { title: "Name" }, "ascending"),
      wideColumn("Scopes"),
      "State",
      head("used", { title: "Last used" }),
      head("created", wideColumn("Created"), "ascending"),
      hidden("Change")
    ],
    keys.map((one) => keyRow(frame, one, plans[plan].apiAccess)),
    "stacked"
  )
}

const keysPanel = (frame: Frame, content: ApiAccessContent): Html => {
  const { keys, plan, view } = content
  const mayRoll = plans[plan].apiAccess
  const { rows } = viewRows(keys, { ...view, page: 1 }, keyList)
  const [working, ended] = [true, false].map((side) => rows.filter(({ key }) => isUsable(key, frame.at) === side))
  return html`<section class="panel" aria-labelledby="keys"><header><h2 id="keys">Keys</h2></header>${
    hasSearch(keys, view) &&
    searchForm(inOrganization(frame.organization.slug, "/settings/api"), "Search keys", view)
  }${
    rows.length < keys.length && working!.length === 0
      ? emptyState("No matching active keys", "Search for another name.")
      : working!.length === 0
      ? emptyState(
        "No active keys",
        mayRoll ? "Create a key to call the API." : "Your plan does not include API access."
      )
      : keysTable("keys", frame, working!, content)
  }${
    ended!.length > 0 &&
    html`<details class="data"><summary id="ended">${ended!.length} revoked or expired</summary>${
      keysTable("ended", frame, ended!, content)
    }</details>`
  }</section>`
}

const createPanel = (frame: Frame, { faults, formId, input }: ApiAccessContent): Html =>
  html`<section class="panel" aria-labelledby="create"><header><h2 id="create">Create a key</h2></header>${
    refusedNote(faults)
  }<form class="fields" method="post" action="${inOrganization(frame.organization.slug, "/settings/api")}">${
    formIdField(formId)
  }${
    textField({
      name: "name",
      label: "Name",
      value: input.name,
      required: true,
      maxLength: maxNameLength,
      hint: "Who or what uses the key",
      fault: faults.name
    })
  }${
    choiceField({
      type: "checkbox",
      name: "scope",
      label: "Scopes",
      choices: keyScopes.map((scope) => [scope, scopeWords[scope]]),
      chosen: input.scopes,
      fault: faults.scopes
    })
  }${
    textField({
      name: "expires",
      label: "Expires on",
      type: "date",
      value: input.expires,
      hint: "At 00:00 UTC on that day; leave empty for no expiry",
      fault: faults.expires
    })
  }<div class="actions"><button class="primary">Create key</button></div></form></section>`

const planPanel = ({ plan }: ApiAccessContent): Html =>
  html`<section class="panel" aria-labelledby="plan"><header><h2 id="plan">Not in this plan</h2></header><p>The ${plan} plan does not include API access; Pro and above do. You cannot create keys, and existing keys are refused until you upgrade.</p><p class="small">The operator of this server changes the plan: <code>sov plan set pro</code>.</p></section>`

const newKeyNote = ({ key, replaced, secret }: NewKey): Html =>
  html`<div class="once" role="status"><h2>Your new key “${
    visible(key.name)
  }”</h2><p class="small">Copy it now: you will not be able to see it again. sov stores only its hash.${
    replaced !== null &&
    ` The old key ${keyText(replaced)} works until ${formatMinute(replaced.expiresAt!)}.`
  }</p><code id="key">${secret}</code><button type="button" data-copy="key">Copy</button></div>`

const curlText = (serverUrl: string): string => `curl -H "Authorization: Bearer $SOV_API_KEY" ${serverUrl}/api/v1/sov`

const usePanel = ({ serverUrl }: ApiAccessContent): Html =>
  html`<section class="panel" aria-labelledby="use"><header><h2 id="use">Use a key</h2></header><p class="small">REST at <code>${serverUrl}/api/v1</code>, the tool server (MCP) at <code>${serverUrl}/api/mcp</code>. Set <code>SOV_API_KEY</code> to your key; the examples below do not contain it.</p>${
    copyBox("curl", curlText(serverUrl))
  }${
    snippetList(
      Object.entries(mcpClients).map(([name, { place, text, title }]) => ({
        id: `mcp-${name}`,
        title: `MCP: ${title}`,
        place: `For ${place}.`,
        text: text({ url: `${serverUrl}/api/mcp` })
      }))
    )
  }</section>`

export const apiAccessPage = (frame: Frame, content: ApiAccessContent): Html => {
  const { made, plan } = content
  const { slug } = frame.organization
  const hasAccess = plans[plan].apiAccess
  return layout(frame, {
    title: "API access",
    here: "settings",
    summary: html`<a href="${
      inOrganization(slug, "/settings")
    }">Settings</a> · keys of the REST API and the tool server`,
    actions: html`<a class="button" href="${inOrganization(slug, "/settings/api.csv")}">Download CSV</a>`,
    body: html`${made !== null && newKeyNote(made)}<div class="grid">${!hasAccess && planPanel(content)}${
      keysPanel(frame, content)
    }${hasAccess && html`<div class="grid two">${createPanel(frame, content)}${usePanel(content)}</div>`}</div>`
  })
}

/** How long a replaced key can keep working: in seconds for the form, and in words. */
export const graceChoices = [
  ["86400", "24 hours"],
  ["3600", "1 hour"],
  ["604800", "7 days"],
  ["2592000", "30 days"],
  ["0", "not at all: revoke it now"]
] as const

interface KeyActContent {
  readonly key: ApiKey
  readonly formId: AuditEntryId
}

const back = { path: "/settings/api", name: "API access" } as const

/** Asks for confirmation before a key is rolled: the consequences, and how long the old key keeps working. */
export const rollKeyPage = (
  frame: Frame,
  { fault, formId, grace, key }: KeyActContent & { readonly grace: string; readonly fault: string | undefined }
): Html =>
  confirmPage(frame, {
    title: `Roll ${key.name}`,
    here: "settings",
    back,
    action: `/settings/api/${key.id}/roll`,
    formId,
    consequences: [
      "A new key with the same name, scopes and expiry is created and shown once.",
      html`The old one, <code>${keyText(key)}</code>, keeps working for the time that you choose and then expires.`
    ],
    fields: choiceField({
      type: "radio",
      name: "grace",
      label: "Keep the old key working for",
      choices: graceChoices,
      chosen: [grace],
      fault
    }),
    button: html`<button class="primary">Roll key</button>`
  })

/** Asks for confirmation before a key is revoked, and states the consequences. */
export const revokeKeyPage = (frame: Frame, { formId, key }: KeyActContent): Html =>
  confirmPage(frame, {
    title: `Revoke ${key.name}`,
    here: "settings",
    back,
    action: `/settings/api/${key.id}/revoke`,
    formId,
    consequences: [
      html`Requests that use <code>${keyText(key)}</code> are refused with 401 immediately.${
        key.lastUsedAt !== null && ` It was last used on ${formatMinute(key.lastUsedAt)}.`
      }`,
      "This cannot be undone. To replace a key without downtime, roll it instead."
    ],
    button: html`<button class="danger">Revoke ${visible(key.name)}</button>`
  })
