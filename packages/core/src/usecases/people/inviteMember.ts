import { Effect, Result } from "effect"
import type { Actor as ActorValue } from "../../domain/audit/Actor.ts"
import { EventId, type OrganizationId, PersonId } from "../../domain/ids.ts"
import type { EmailAddress } from "../../domain/mail/EmailAddress.ts"
import type { Person } from "../../domain/people/Person.ts"
import type { Role } from "../../domain/people/Role.ts"
import { formatLinkUrl, renderInvitationMail } from "../../domain/people/signInMail.ts"
import { Mailer } from "../../ports/Mailer.ts"
import { OrganizationStore } from "../../ports/OrganizationStore.ts"
import { PersonStore } from "../../ports/PersonStore.ts"
import { SessionStore } from "../../ports/SessionStore.ts"
import { changeAndNotify } from "../access/keyCacheInvalidation.ts"
import { Actor } from "../audit/Actor.ts"
import { recordActs } from "../audit/recordActs.ts"
import { NotFound } from "../errors.ts"
import { newId } from "../newId.ts"
import { now } from "../now.ts"
import { makeLink } from "./makeLink.ts"

/** Whom to invite. */
export interface Invitation {
  readonly email: EmailAddress
  /** The part of the address before the @ when not given. */
  readonly name?: string | undefined
  readonly role: Role
  /** The address of the server, without a slash at its end. */
  readonly origin: string
}

const findOrMakePerson = Effect.fnUntraced(function*({ email, name }: Invitation) {
  const people = yield* PersonStore
  const known = yield* people.findByEmail(email)
  if (known !== null) return known
  const person: Person = {
    id: yield* newId(PersonId),
    name: name ?? email.slice(0, email.lastIndexOf("@")),
    email,
    createdAt: yield* now,
    signedInAt: null,
    disabledAt: null
  }
  yield* people.create(person)
  return person
})

/**
 * Whether the link may be shown to the one who invites. They must already have everything that it opens, and the person
 * must never have signed in: otherwise it would act in the name of somebody who is here. It may always be shown to
 * whoever reaches the database.
 */
const mayBeShown = Effect.fnUntraced(function*(actor: ActorValue, person: Person) {
  if (actor.kind === "command line") return true
  if (actor.personId === null || person.signedInAt !== null) return false
  const people = yield* PersonStore
  const owned = new Set(
    (yield* people.listMemberships(actor.personId)).flatMap(({ organization, role }) =>
      role === "owner" ? [organization.id] : []
    )
  )
  return (yield* people.listMemberships(person.id)).every(({ organization }) => owned.has(organization.id))
})

/**
 * Makes somebody a member and gives them a link of seven days. It is mailed where there is a mail server. Otherwise `url`
 * has it, to be shown once to the one who invites; but not when the person has signed in before, or is a member of an
 * organization that the one who invites does not own, for the link opens that one, too. When the person becomes a member, links and sessions of
 * earlier invitations end, whoever made them: an owner of another organization who was shown such a link would get into
 * this one. Somebody who is a member already keeps the role and gets a new link. Fails with NotFound for an unknown
 * organization.
 */
export const inviteMember = Effect.fn("inviteMember")(
  function*(organizationId: OrganizationId, invitation: Invitation) {
    const [actor, mailer, people, sessions] = yield* Effect.all([Actor, Mailer, PersonStore, SessionStore])
    const organization = yield* (yield* OrganizationStore).find(organizationId)
    if (organization === null) return yield* new NotFound({ what: "organization", id: organizationId })

    const made = yield* changeAndNotify(Effect.gen(function*() {
      const found = yield* findOrMakePerson(invitation)
      const person = (yield* people.lock(found.id)) ?? found
      const mayShow = yield* mayBeShown(actor, person)
      const added = yield* people.addMember(organizationId, person.id, invitation.role, yield* now)
      if (added) {
        yield* sessions.removeLinks(person.id, "invitations")
        yield* sessions.removeSessions(person.id, "invitation")
      }
      const role = (yield* people.findMember(organizationId, person.id))?.role ?? invitation.role
      yield* recordActs(organizationId, [{
        action: "member.invited",
        subjectId: person.id,
        detail: { name: person.name, role }
      }])
      const link = mailer === null && !mayShow ? null : yield* makeLink(person.id, "invitation", actor.personId)
      return { person, role, added, mayShow, link }
    }))

    const { added, link, mayShow, person, role } = made
    const member = { person, role, added, expiresAt: link?.link.expiresAt ?? null }
    if (link === null) return { ...member, url: null, mailed: false, mailError: null }
    const url = formatLinkUrl(invitation.origin, link.token)
    if (mailer === null || person.email === null) return { ...member, url, mailed: false, mailError: null }
    const content = renderInvitationMail({
      organization: organization.name,
      role,
      invitedBy: actor.kind === "person" ? actor.name : null,
      url,
      until: link.link.expiresAt
    })
    const sent = yield* Effect.result(
      mailer.send({ ...content, id: yield* newId(EventId), to: person.email, createdAt: link.link.createdAt })
    )
    return Result.isSuccess(sent)
      ? { ...member, url: null, mailed: true, mailError: null }
      : { ...member, url: mayShow ? url : null, mailed: false, mailError: sent.failure }
  }
)
