/** Invites one person to several organizations at once. */
import type { AuditEntryId } from "@sov/core/common"
import { maxEmailLength } from "@sov/core/mail"
import { maxNameLength, type Organization } from "@sov/core/organizations"
import { Role } from "@sov/core/people"
import { to } from "../Address.ts"
import { type Html, html } from "../html.ts"
import { visible } from "../visible.ts"
import { choiceField, type Faults, formIdField, refusedNote, textField } from "./forms.ts"
import type { Theme } from "./Frame.ts"
import { bareLayout } from "./layout.ts"
import { type InvitedMember, invitedNote, roleWords } from "./members.ts"
import { inOrganization } from "./sections.ts"

export interface InviteContent {
  readonly formId: AuditEntryId
  /** The organizations that the visitor owns. */
  readonly owned: ReadonlyArray<Organization>
  readonly typed: {
    readonly email: string
    readonly name: string
    readonly role: Role
    readonly slugs: ReadonlyArray<string>
  }
  readonly faults: Faults<"email" | "name" | "organizations">
  /** The invitation that was sent, with its organizations; null = none was sent. */
  readonly invited: {
    readonly member: InvitedMember
    readonly to: ReadonlyArray<{ readonly name: string; readonly slug: string; readonly added: boolean }>
  } | null
  readonly theme: Theme | null
}

const invitedPanel = ({ member, to: places }: NonNullable<InviteContent["invited"]>): Html =>
  html`${invitedNote(member)}<ul class="bullets">${
    places.map(({ added, name, slug }) =>
      html`<li><a href="${inOrganization(slug, "/settings/members")}">${visible(name)}</a>${
        !added && " (was a member already, and keeps the role)"
      }</li>`
    )
  }</ul>`

export const inviteToAllPage = (content: InviteContent): Html => {
  const { faults, formId, invited, owned, theme, typed } = content
  return bareLayout(
    "Invite to several organizations",
    html`<p><a href="${
      to("/portfolio")
    }">Your organizations</a></p><h1 id="invite">Invite to several organizations</h1>${
      invited !== null && invitedPanel(invited)
    }${
      refusedNote(faults)
    }<section class="panel" aria-labelledby="invite"><p>The person gets one e-mail with one link that opens all of them.</p><form class="fields" method="post" action="${
      to("/portfolio/invite")
    }">${formIdField(formId)}${
      textField({
        name: "email",
        label: "E-mail address",
        type: "email",
        required: true,
        maxLength: maxEmailLength,
        value: typed.email,
        fault: faults.email
      })
    }${
      textField({
        name: "name",
        label: "Name (default: the part before the @)",
        maxLength: maxNameLength,
        value: typed.name,
        fault: faults.name
      })
    }${
      choiceField({
        name: "role",
        label: "Role",
        type: "radio",
        choices: Role.literals.toReversed().map((role) => [role, roleWords[role]]),
        chosen: [typed.role],
        fault: undefined
      })
    }${
      choiceField({
        name: "organization",
        label: "Organizations that you own",
        type: "checkbox",
        choices: owned.map(({ name, slug }) => [slug, visible(name)]),
        chosen: typed.slugs,
        fault: faults.organizations
      })
    }<div class="actions"><button class="primary">Invite</button></div></form></section>`,
    { theme, wide: true }
  )
}
