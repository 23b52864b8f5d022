/** Signs in at an issuer, step by step as a browser does. */
import type { OpenIdSettings } from "@sov/http"
import { Redacted } from "effect"
import type { Answer } from "./apiServer.ts"
import type { TestBrowser } from "./dashboardServer.ts"
import type { TestIssuer } from "./OpenIdIssuer.ts"

export const client = { id: "sov", secret: "s3cr%t: of/the+client" }

/** The settings for a server where people sign in through the issuer. */
export const settingsOf = (issuer: Pick<TestIssuer, "url">, fields: Partial<OpenIdSettings> = {}): OpenIdSettings => ({
  issuer: issuer.url,
  clientId: client.id,
  clientSecret: Redacted.make(client.secret),
  name: "Acme SSO",
  ...fields
})

/** Opens the issuer's page and signs in there; returns the path to which the issuer redirects the browser. */
export const goThere = async (browser: TestBrowser, path = "/login/sso"): Promise<string> => {
  const led = await browser.get(path)
  if (led.status !== 303) throw new Error(`${path} answered ${led.status}: ${led.text}`)
  const back = await fetch(led.headers["location"]!, { redirect: "manual" })
  const { pathname, search } = new URL(back.headers.get("location")!)
  return `${pathname}${search}`
}

/** Signs in at the issuer; returns the response to its callback. */
export const signInThere = async (browser: TestBrowser, path?: string): Promise<Answer> =>
  browser.get(await goThere(browser, path))
