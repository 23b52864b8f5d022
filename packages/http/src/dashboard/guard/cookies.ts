/** The cookies of the dashboard. */
import { sessionLifetime } from "@sov/core/people"
import { Duration } from "effect"
import { HttpServerResponse } from "effect/http"
import { type Theme, themes } from "../pages/Frame.ts"
import { maxAttemptAge } from "../sso/attempt.ts"
import type { CookieChanges } from "./Reply.ts"

type CookieName = keyof CookieChanges

/** Names and attributes of the cookies of one server. */
export interface Cookies {
  readonly names: { readonly [name in CookieName]: string }
  readonly secure: boolean
}

/** Lifetime of each cookie in the browser, in seconds. */
const maxAges: { readonly [name in CookieName]: number } = {
  session: Duration.toSeconds(sessionLifetime),
  next: 3_600,
  attempt: Duration.toSeconds(maxAttemptAge),
  theme: 400 * 86_400,
  formats: 400 * 86_400,
  organization: 400 * 86_400
}

/**
 * Over https, the cookie names bind the cookies to this host. Over http, they contain the installation's tag: cookies
 * are shared between ports, so two servers on one machine would otherwise sign each other's users out.
 */
export const makeCookies = (publicUrl: string | undefined, instanceTag: string): Cookies => {
  const secure = publicUrl?.startsWith("https:") === true
  const base = secure ? "__Host-sov" : `sov_${instanceTag}`
  return {
    secure,
    names: {
      session: base,
      next: `${base}_next`,
      attempt: `${base}_sso`,
      theme: `${base}_theme`,
      formats: `${base}_formats`,
      organization: `${base}_org`
    }
  }
}

/** Adds the changed cookies to a response. */
export const setCookies = (
  { names, secure }: Cookies,
  response: HttpServerResponse.HttpServerResponse,
  changes: CookieChanges
): HttpServerResponse.HttpServerResponse =>
  Object.entries(changes).reduce(
    (made, [name, value]) =>
      HttpServerResponse.setCookieUnsafe(made, names[name as CookieName], value ?? "", {
        httpOnly: true,
        sameSite: "lax",
        path: "/",
        secure,
        maxAge: value === null ? 0 : `${maxAges[name as CookieName]} seconds`
      }),
    response
  )

/** The path to open after the sign-in, if it is a path of this site; null for any other text. */
export const parseNext = (text: string | null | undefined): `/${string}` | null =>
  text !== null && text !== undefined && text.length <= 2_000 && /^\/(?![/\\])[\x21-\x7e]*$/.test(text) &&
    !text.includes("\\")
    ? text as `/${string}`
    : null

/** The chosen theme; null = the theme of the system. */
export const parseTheme = (text: string | undefined): Theme | null => themes.find((theme) => theme === text) ?? null
