/** A server with the dashboard in the test's own process, and browsers that are signed in. */
import { findOrganization, makeFormId, type OrganizationId, PersonStore, type Role } from "@sov/core"
import type { Stores } from "@sov/core/testing"
import { type DashboardOptions, layerDashboard, type ServerOptions } from "@sov/http"
import { Effect, Layer } from "effect"
import type { SqlClient } from "effect/sql"
import { type Answer, type Ask, openApi } from "./apiServer.ts"
import type { Home } from "./homes.ts"
import { readForm } from "./pageForms.ts"
import { seedLink, seedMember, seedPerson } from "./people.ts"

/** Issuer at which everybody who signs in by a link also has an account. */
export const attachedIssuer = "https://id.example/realms/staff"

const options: DashboardOptions = { platforms: null, platformLabels: new Map(), canMail: false }

interface FormOptions {
  readonly headers?: Readonly<Record<string, string>>
}

/** The text of a page, without markup. */
export const wordsOf = (html: string): string =>
  html.replace(/^[^]*<body[^>]*>/, "").replaceAll(/<[^>]+>/g, " ").replaceAll(/\s+/g, " ").trim()

/** The path with which links to an organization's pages begin. */
export const pathOf = (organizationId: OrganizationId) =>
  Effect.map(findOrganization(organizationId), ({ slug }) => `/o/${slug}` as const)

/** Starts the server; call `close` in afterAll. `browser` is not signed in; `signIn` returns a browser that is. */
export const openDashboard = async (
  home: Home | Layer.Layer<Stores | SqlClient.SqlClient, unknown>,
  settings: Partial<ServerOptions> = {},
  dashboard: Partial<DashboardOptions> = {},
  logs: Layer.Layer<never> = Layer.empty
) => {
  const api = await openApi(home, settings, layerDashboard({ ...options, ...dashboard }), logs)

  /** A separate browser: it keeps cookies, and sends forms as from this site. It does not follow redirects. */
  const browser = () => {
    const cookies = new Map<string, string>()
    const ask = async (path: string, { headers, ...what }: Ask = {}): Promise<Answer> => {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ")
      const answer = await api.ask(path, {
        ...what,
        headers: { accept: "text/html", ...cookie === "" ? {} : { cookie }, ...headers }
      })
      for (const line of [answer.headers["set-cookie"] ?? []].flat()) {
        const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!
        if (/;\s*max-age=0\b/i.test(line)) cookies.delete(name!)
        else cookies.set(name!, value!)
      }
      return answer
    }
    const post = (path: string, fields: Readonly<Record<string, string>> = {}, { headers = {} }: FormOptions = {}) =>
      ask(path, {
        method: "POST",
        headers: { "content-type": "application/x-www-form-urlencoded", "sec-fetch-site": "same-origin", ...headers },
        body: new URLSearchParams(fields).toString()
      })
    return {
      cookies,
      get: (path: string, { headers = {} }: FormOptions = {}) => ask(path, { headers }),
      /** Sends a form, as a page of this site would. */
      post,
      /** Sends a form with a new `form_id`. */
      submit: async (path: string, fields: Readonly<Record<string, string>> = {}) =>
        post(path, { form_id: await api.run(makeFormId), ...fields }),
      /** Opens a page and sends its form for `action`, with these fields replaced. */
      press: async (page: string, action: string, fields: Readonly<Record<string, string>> = {}) =>
        post(action, { ...readForm((await ask(page)).text, action), ...fields }),
      ask
    }
  }

  /** The token of an unused link that signs the person in. */
  const makeLink = (personId: Parameters<typeof seedLink>[0]) =>
    Effect.gen(function*() {
      const now = api.clock.ms + Date.now()
      return yield* seedLink(personId, { createdAt: new Date(now), expiresAt: new Date(now + 600_000) })
    })

  /** Signs in a new person with this role, who also has an account elsewhere, and returns the browser. */
  const signIn = async (organizationId: OrganizationId | null, role: Role = "owner") => {
    const { person, token } = await api.run(Effect.gen(function*() {
      const person = yield* (organizationId === null ? seedPerson() : seedMember(organizationId, role))
      const at = new Date(api.clock.ms + Date.now())
      yield* (yield* PersonStore).addIdentity(person.id, { issuer: attachedIssuer, subject: person.id }, at)
      return { person, token: (yield* makeLink(person.id)).token }
    }))
    const signedIn = browser()
    const answer = await signedIn.post(`/login/link/${token}`)
    if (answer.status !== 303) throw new Error(`signing in answered ${answer.status}: ${answer.text.slice(0, 500)}`)
    return { ...signedIn, person }
  }

  return { ...api, browser, makeLink, signIn }
}
export type TestDashboard = Awaited<ReturnType<typeof openDashboard>>
export type TestBrowser = ReturnType<TestDashboard["browser"]>
