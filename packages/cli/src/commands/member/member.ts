/** sov member: manages who can sign in to an organization's dashboard, and their rights there. */
import { EmailAddress } from "@sov/core/mail"
import { Name } from "@sov/core/organizations"
import { invitedMemberJson, inviteMember, listMembers, memberJson, removeMember, Role, setRole } from "@sov/core/people"
import { confirm } from "../../input/confirm.ts"
import { currentOrganization } from "../../input/currentOrganization.ts"
import { decodeInput } from "../../input/decodeInput.ts"
import { printable } from "../../output/Output.ts"
import { runCommand, runForOrganization } from "../../runtime.ts"
import type { GlobalOptions } from "../../settings/GlobalOptions.ts"
import { serverOrigin } from "../../settings/serverOrigin.ts"
import { findMember } from "./findMember.ts"

interface InviteOptions extends GlobalOptions {
  readonly role: string
  readonly name?: string
  readonly publicUrl?: string
}

export const invite = (options: InviteOptions, address: string) =>
  runCommand(options, {}, function*({ out }) {
    const email = yield* decodeInput(EmailAddress, address as EmailAddress, "EMAIL")
    const role = yield* decodeInput(Role, options.role as Role, "--role")
    const name = options.name === undefined ? undefined : yield* decodeInput(Name, options.name, "--name")
    const origin = yield* serverOrigin("--public-url", options.publicUrl)
    const organization = yield* currentOrganization(options)
    const invited = yield* inviteMember(organization.id, { email, name, role, origin })
    const { added, mailError, person, url } = invited
    if (!added) out.note(`${printable(person.name)} is a member already: the role is ${invited.role}.`)
    if (mailError !== null) out.note(`The e-mail was not sent: ${printable(mailError.message)}`)
    if (url !== null) out.note("This is the only time the link is shown. It works once, for seven days.")
    out.result(
      invitedMemberJson(invited),
      () => url ?? `${email} got an e-mail with a link that works once, for seven days.`
    )
  })

export const list = (options: GlobalOptions) =>
  runForOrganization(options, { repeatable: true }, function*({ out }, organization) {
    const members = yield* listMembers(organization.id)
    out.list(members.map(memberJson), [
      { header: "NAME", cell: ({ name }) => printable(name) },
      { header: "E-MAIL", cell: ({ email }) => email ?? "-" },
      { header: "ROLE", cell: ({ role }) => role },
      { header: "STATUS", cell: ({ status }) => status },
      { header: "SIGNED IN", cell: ({ signed_in_at }) => signed_in_at ?? "-" },
      { header: "ID", cell: ({ id }) => id }
    ], { empty: "No members yet: sov member invite EMAIL" })
  })

export const role = (options: GlobalOptions, named: string, wanted: string) =>
  runCommand(options, {}, function*({ out }) {
    const role = yield* decodeInput(Role, wanted as Role, "ROLE")
    const organization = yield* currentOrganization(options)
    const { person } = yield* findMember(organization.id, named)
    const before = yield* setRole(organization.id, person.id, role)
    out.result(
      { id: person.id, name: person.name, role, before },
      () => before === role ? `${person.name} is ${role} already.` : `${person.name} is ${role} now, was ${before}.`
    )
  })

export const remove = (options: GlobalOptions, named: string) =>
  runForOrganization(options, {}, function*({ out }, organization) {
    const found = yield* findMember(organization.id, named)
    yield* confirm(out, `Remove ${printable(found.person.name)} (${found.role}) from ${organization.name}?`)
    const { person } = yield* removeMember(organization.id, found.person.id)
    out.result({ id: person.id, removed: true }, () => `${person.name} is no member any more.`)
  })
