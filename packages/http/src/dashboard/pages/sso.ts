/** Pages for sign-ins through an issuer or a proxy. */
import { to } from "../Address.ts"
import { type Html, html } from "../html.ts"
import { visible } from "../visible.ts"
import type { Theme } from "./Frame.ts"
import { bareLayout } from "./layout.ts"

export interface RefusedContent {
  readonly status: number
  /** Why the sign-in failed, and what to do next. */
  readonly words: string
  readonly requestId: string
  /** Whether starting the sign-in again may help. */
  readonly again: boolean
}

/** The page that says why a sign-in failed. */
export const signInRefusedPage = ({ again, requestId, status, words }: RefusedContent, theme: Theme | null): Html =>
  bareLayout(
    "Not signed in",
    html`<h1>You are not signed in</h1><p>${
      visible(words)
    }</p><p class="small">${status} · request ID <code>${requestId}</code></p><p>${
      again && html`<a class="button primary" href="${to("/login/sso")}">Try again</a> `
    }<a class="button" href="${to("/login")}">Other ways to sign in</a></p>`,
    { theme }
  )
