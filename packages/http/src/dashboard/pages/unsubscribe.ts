/** Stops digests without an account, through the link in a digest. */
import { to } from "../Address.ts"
import { type Html, html } from "../html.ts"
import { visible } from "../visible.ts"
import type { Theme } from "./Frame.ts"
import { bareLayout } from "./layout.ts"

export interface UnsubscribeContent {
  readonly organization: { readonly name: string }
  readonly address: string
}

/** The page that an unsubscribe link opens, with the form that stops digests. */
export const unsubscribePage = (
  token: string,
  { address, organization }: UnsubscribeContent,
  theme: Theme | null
): Html =>
  bareLayout(
    "Unsubscribe",
    html`<h1>Unsubscribe from the weekly digest</h1><p>${visible(address)} will no longer get digests of ${
      visible(organization.name)
    }. Alert e-mails continue.</p><form method="post" action="${
      to(`/unsubscribe/${token}`)
    }"><button class="primary">Unsubscribe</button></form>`,
    { theme }
  )

/** The page after digests were stopped, by the form or by a mail program. */
export const unsubscribedPage = ({ address, organization }: UnsubscribeContent, theme: Theme | null): Html =>
  bareLayout(
    "Unsubscribed",
    html`<h1>You are unsubscribed</h1><p>${visible(address)} gets no more digests of ${
      visible(organization.name)
    }. To get digests again, ask an owner to remove the address from the recipients and add it back.</p>`,
    { theme }
  )
