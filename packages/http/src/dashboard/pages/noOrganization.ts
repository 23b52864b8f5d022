import { to } from "../Address.ts"
import { type Html, html } from "../html.ts"
import { visible } from "../visible.ts"
import type { Theme } from "./Frame.ts"
import { bareLayout } from "./layout.ts"

/** The page for a signed-in person who is not a member of any organization. */
export const noOrganizationPage = (name: string, theme: Theme | null): Html =>
  bareLayout(
    "No organization",
    html`<h1>You are not a member of any organization</h1><p>${
      visible(name)
    }, ask an owner to invite you. The operator of this server can create an organization with <code>sov org create</code>.</p><form method="post" action="${
      to("/logout")
    }"><button>Sign out</button></form>`,
    { theme }
  )
