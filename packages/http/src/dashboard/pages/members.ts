/** Members: who may sign in to the organization, and their roles. */
import type { AuditEntryId } from "@sov/core/common"
import { maxEmailLength } from "@sov/core/mail"
import { maxNameLength } from "@sov/core/organizations"
import { type Member, type Person, Role } from "@sov/core/people"
import { formatDate, formatMinute } from "../charts/numbers.ts"
import { attributes, type Fragment, type Html, html } from "../html.ts"
import { visible } from "../visible.ts"
import { confirmPage } from "./confirm.ts"
import { changedActNote, formIdField, seenField } from "./forms.ts"
import type { Frame } from "./Frame.ts"
import { layout } from "./layout.ts"
import { hidden, wideColumn } from "./lists.ts"
import { declareList, listTable, type ListViewOf } from "./listView.ts"
import { inOrganization } from "./sections.ts"
import { thisComputerNote } from "./snippets.ts"

/** The result of an invitation. */
export interface InvitedMember {
  readonly person: Person
  readonly role: Role
  /** False = the person was already a member and keeps their role. */
  readonly added: boolean
  readonly expiresAt: Date | null
  /** The sign-in link, shown only this once; null = it was mailed, or must not be shown. */
  readonly url: string | null
  readonly mailed: boolean
  /** Why the mail server refused the mail; null if it accepted the mail, or if no server is configured. */
  readonly mailFault: string | null
}

/** The list of members. */
export const memberList = declareList({
  text: ({ person, role }: Member) => `${person.name} ${person.email} ${role}`,
  by: {
    name: ({ person }) => person.name,
    seen: ({ person }) => person.signedInAt?.getTime() ?? null,
    since: ({ createdAt }) => createdAt.getTime(),
    role: ({ role }) => Role.literals.indexOf(role)
  },
  usual: "since",
  perPage: 100
})

export interface MembersContent {
  readonly view: ListViewOf<typeof memberList>
  readonly formId: AuditEntryId
  readonly members: ReadonlyArray<Member>
  /** The id of the signed-in person. */
  readonly own: Person["id"]
  readonly invited: InvitedMember | null
  /**
   * A member whose role was not changed, because somebody else has changed it since the page was opened; null = no such
   * case.
   */
  readonly changed: Member | null
  /** Input that was refused; null = none. */
  readonly refused: {
    readonly field: "email" | "name"
    readonly message: string
    readonly email: string
    readonly name: string
    readonly role: Role
  } | null
}

/** What each role may do, in words. */
export const roleWords: { readonly [role in Role]: string } = {
  owner: "owner: everything",
  member: "member: reads, starts scans and changes what is tracked",
  viewer: "viewer: reads and downloads"
}

const memberWords = ({ person, role }: Member): string => `${visible(person.name)}, ${role}`

export const invitedNote = ({ added, expiresAt, mailFault, mailed, person, role, url }: InvitedMember): Html => {
  const name = visible(person.name)
  const isMember = added
    ? `${name} is now a member with the role ${role}.`
    : `${name} is already a member with the role ${role}.`
  if (url !== null) {
    return html`<div class="once" role="status"><h2>Invitation for ${name}</h2><p class="small">${isMember} The link works once${
      expiresAt !== null && `, until ${formatMinute(expiresAt)}`
    }. Send it to ${name} only: anyone who has it can sign in as ${name}. You will not be able to see it again.</p>${
      mailFault !== null && html`<p class="small">The e-mail could not be sent: ${visible(mailFault)}</p>`
    }<code id="link">${url}</code><button type="button" data-copy="link">Copy</button>${thisComputerNote(url)}</div>`
  }
  const words = mailed
    ? `The invitation was sent to ${visible(person.email ?? "")}.`
    : mailFault !== null
    ? `The invitation could not be sent: ${visible(mailFault)}. Try again later.`
    // One sentence for both cases, so that it does not reveal memberships in other organizations
    : "No link is shown, because it would sign in as a person who has signed in before, or open an organization that you do not own. The operator of this server can create one with sov member invite."
  return html`<p class="note good" role="status">${isMember} ${words}</p>`
}

const roleForm = ({ organization: { slug } }: Frame, { person, role }: Member, formId: AuditEntryId): Html =>
  html`<form class="actions" method="post" action="${inOrganization(slug, `/settings/members/${person.id}/role`)}">${
    formIdField(formId)
  }${seenField(role)}<label><span class="hidden">Role of ${visible(person.name)}</span><select name="role">${
    Role.literals.map((one) => html`<option${attributes({ selected: one === role })}>${one}</option>`)
  }</select></label><button>Save<span class="hidden"> the role of ${visible(person.name)}</span></button></form>`

const memberRow = (frame: Frame, member: Member, { formId, own }: MembersContent): Html => {
  const { createdAt, person } = member
  return html`<tr><th scope="row" class="break">${visible(person.name)}${
    person.id === own && html` <span class="pill on">you</span>`
  }${person.email !== null && html`<br><small>${visible(person.email)}</small>`}</th><td>${
    person.signedInAt === null ? "invited" : `last seen ${formatDate(person.signedInAt)}`
  }</td><td class="wide">${formatDate(createdAt)}</td><td>${
    roleForm(frame, member, formId)
  }</td><td class="num"><a class="button danger" href="${
    inOrganization(frame.organization.slug, `/settings/members/${person.id}/remove`)
  }">Remove…<span class="hidden"> ${visible(person.name)}</span></a></td></tr>`
}

const inviteForm = ({ organization: { slug } }: Frame, { formId, refused }: MembersContent): Html => {
  const fault = (field: "email" | "name"): Fragment =>
    refused?.field === field && html`<span class="fault" id="${field}-fault">${visible(refused.message)}</span>`
  const described = (field: "email" | "name") =>
    attributes({
      "aria-describedby": refused?.field === field && `${field}-fault`,
      "aria-invalid": refused?.field === field && "true"
    })
  return html`<form class="fields" method="post" action="${inOrganization(slug, "/settings/members")}">${
    formIdField(formId)
  }<label>E-mail address<input type="email" name="email" required maxlength="${maxEmailLength}" autocomplete="off"${
    attributes({ value: refused?.email })
  }${described("email")}>${
    fault("email")
  }</label><label>Name (default: the part before the @)<input name="name" maxlength="${maxNameLength}" autocomplete="off"${
    attributes({ value: refused?.name })
  }${described("name")}>${fault("name")}</label><fieldset><legend>Role</legend>${
    Role.literals.toReversed().map((role) =>
      html`<label><input type="radio" name="role" value="${role}"${
        attributes({ checked: role === (refused?.role ?? "viewer") })
      }> ${roleWords[role]}</label>`
    )
  }</fieldset><div class="actions"><button class="primary">Invite</button></div></form>`
}

const membersPanel = (frame: Frame, content: MembersContent): Html =>
  html`<section class="panel" aria-labelledby="members"><header><h2 id="members">Members</h2></header>${
    listTable({
      labelledBy: "members",
      things: "members",
      list: memberList,
      rows: content.members,
      view: content.view,
      at: (query) => inOrganization(frame.organization.slug, "/settings/members", { ...query }),
      columns: (head) => [
        head("name", { title: "Name" }, "ascending"),
        head("seen", { title: "State" }),
        head("since", wideColumn("Member since"), "ascending"),
        head("role", { title: "Role" }, "ascending"),
        hidden("Change")
      ],
      row: (member) => memberRow(frame, member, content)
    })
  }</section>`

export const membersPage = (frame: Frame, content: MembersContent): Html => {
  const { changed, invited } = content
  return layout(frame, {
    title: "Members",
    here: "members",
    summary: "Who has access, and their roles",
    actions: html`<a class="button" href="${
      inOrganization(frame.organization.slug, "/settings/members.csv")
    }">Download CSV</a>`,
    body: html`${invited !== null && invitedNote(invited)}${
      changed !== null && changedActNote(memberWords(changed))
    }<div class="grid">${
      membersPanel(frame, content)
    }<section class="panel" aria-labelledby="invite"><header><h2 id="invite">Invite a member</h2></header>${
      inviteForm(frame, content)
    }</section></div>`
  })
}

/** Asks for confirmation before a member is removed, and states the consequences. */
export const removeMemberPage = (
  frame: Frame,
  member: Member,
  { changed, formId, own }: Pick<MembersContent, "formId" | "own"> & { readonly changed: boolean }
): Html => {
  const { person, role } = member
  const { name } = frame.organization
  return confirmPage(frame, {
    title: `Remove ${person.name}`,
    here: "members",
    back: { path: "/settings/members", name: "Members" },
    action: `/settings/members/${person.id}/remove`,
    formId,
    note: changed && changedActNote(memberWords(member)),
    consequences: [
      `${person.id === own ? "You are" : `${visible(person.name)} is`} signed out of ${
        visible(name)
      } immediately, in every browser.`,
      ...role === "owner"
        ? ["Unused sign-in links that this owner may know stop working, and sessions that began with one end."]
        : [],
      "Their past actions stay in the audit log, with their name."
    ],
    fields: seenField(role),
    button: html`<button class="danger">Remove ${visible(person.name)}</button>`
  })
}
