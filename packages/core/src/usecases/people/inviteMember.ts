import { Effect, Result } from "effect"
import { type Actor as ActorValue, runsInstallation } from "../../domain/audit/Actor.ts"
import { AuditEntryId, EventId, type OrganizationId, PersonId } from "../../domain/ids.ts"
import type { EmailAddress } from "../../domain/mail/EmailAddress.ts"
import { withBranding } from "../../domain/mail/withBranding.ts"
import type { Membership, Person } from "../../domain/people/Person.ts"
import type { Role } from "../../domain/people/Role.ts"
import { formatLinkUrl, renderInvitationMail } from "../../domain/people/signInMail.ts"
import { hashRandomToken } from "../../domain/randomToken.ts"
import { BrandingStore } from "../../ports/BrandingStore.ts"
import { Mailer } from "../../ports/Mailer.ts"
import { OrganizationStore } from "../../ports/OrganizationStore.ts"
import { PersonStore } from "../../ports/PersonStore.ts"
import { SessionStore } from "../../ports/SessionStore.ts"
import { Transaction } from "../../ports/Transaction.ts"
import { changeAndNotify } from "../access/keyCacheInvalidation.ts"
import { Actor } from "../audit/Actor.ts"
import { FormId } from "../audit/FormId.ts"
import { recordActs } from "../audit/recordActs.ts"
import { NotFound, Rejected } from "../errors.ts"
import { newId } from "../newId.ts"
import { now } from "../now.ts"
import { checkOpenInvitations, checkSentInvitations } from "./checkInvitationLimits.ts"
import { makeLink, makeLinkCreatedAct, recordLink } from "./makeLink.ts"

/** The input of an invitation. */
export interface Invitation {
  readonly email: EmailAddress
  /** The invited person's name; by default the part of the address before the @. */
  readonly name?: string | undefined
  readonly role: Role
  /** Origin of the server, without a trailing slash. */
  readonly origin: string
}

/** The name in the organization for a person who is invited without a name. */
const nameFrom = (email: EmailAddress): string => email.slice(0, email.lastIndexOf("@"))

const findOrMakePerson = Effect.fnUntraced(function*({ email, name = nameFrom(email) }: Invitation) {
  const people = yield* PersonStore
  const known = yield* people.findByEmail(email)
  if (known !== null) return known
  const id = yield* newId(PersonId)
  const person: Person = { id, name, email, createdAt: yield* now, signedInAt: null, disabledAt: null }
  yield* people.create(person)
  return person
})

/** Locks both people in a fixed order, so that two people who invite each other do not deadlock. */
const lockBoth = Effect.fnUntraced(function*(invited: PersonId, inviting: PersonId | null) {
  const people = yield* PersonStore
  for (const id of [...new Set([invited, inviting ?? invited])].toSorted()) yield* people.lock(id)
})

/** The person's organizations that the inviting actor also owns; at the command line, all of them. */
const listOwned = Effect.fnUntraced(function*(actor: ActorValue, memberships: ReadonlyArray<Membership>) {
  if (runsInstallation(actor)) return memberships
  const own = actor.personId === null ? [] : yield* (yield* PersonStore).listMemberships(actor.personId)
  const owned = new Set(own.flatMap(({ organization, role }) => role === "owner" ? [organization.id] : []))
  return memberships.filter(({ organization }) => owned.has(organization.id))
})

/**
 * Whether the inviting actor may see a link of this person. False if the person has signed in before, or if the link
 * opens an organization that the actor does not own. Always true at the command line.
 */
const mayShowLink = Effect.fnUntraced(function*(actor: ActorValue, id: PersonId) {
  if (runsInstallation(actor)) return true
  const people = yield* PersonStore
  const memberships = yield* people.listMemberships(id)
  const isKnown = (yield* people.find(id))?.signedInAt != null
  return actor.personId !== null && !isKnown && (yield* listOwned(actor, memberships)).length === memberships.length
})

/** Ends the person's links and sessions that people other than the organization's owners may know. */
const endWhatOthersKnow = Effect.fnUntraced(function*(organizationId: OrganizationId, id: PersonId) {
  const [people, sessions] = yield* Effect.all([PersonStore, SessionStore])
  const members = yield* people.listMembers(organizationId)
  const owners = members.flatMap(({ person, role }) => role === "owner" ? [person.id] : [])
  yield* sessions.removeLinksKnownToOthers(id, owners)
  yield* sessions.removeSessionsKnownToOthers(id, owners)
})

/**
 * Records that the inviting actor knows a link, before a link that could not be mailed is shown. Returns whether it may
 * still be shown: the actor may have lost the owner's role, or the person may have joined another organization.
 */
const recordShown = Effect.fnUntraced(function*(
  organizationIds: ReadonlyArray<OrganizationId>,
  id: PersonId,
  token: string
) {
  const [actor, people, sessions, { run }] = yield* Effect.all([Actor, PersonStore, SessionStore, Transaction])
  const { knownTo = [], personId } = actor
  if (personId === null) return yield* mayShowLink(actor, id)
  return yield* run(Effect.gen(function*() {
    yield* lockBoth(id, personId)
    for (const organizationId of organizationIds) {
      if ((yield* people.findMember(organizationId, personId))?.role !== "owner") return false
    }
    if (!(yield* mayShowLink(actor, id))) return false
    yield* sessions.recordMaker(hashRandomToken(token), personId, knownTo)
    return true
  }))
})

/** Makes the person a member of one organization, in the caller's transaction, which holds the locks on both people. */
const addInvited = Effect.fnUntraced(
  function*(organizationId: OrganizationId, found: Person, { email, name = nameFrom(email), role }: Invitation) {
    const [actor, mailer, people] = yield* Effect.all([Actor, Mailer, PersonStore])
    if (actor.personId !== null && (yield* people.findMember(organizationId, actor.personId))?.role !== "owner") {
      return yield* new NotFound({ what: "organization", id: organizationId })
    }
    const before = yield* people.listMemberships(found.id)
    const isMember = before.some((one) => one.organization.id === organizationId)
    yield* checkOpenInvitations(organizationId, actor, isMember)
    const opensOwn = (yield* listOwned(actor, before)).length === before.length
    const onlyByLink = mailer === null && (yield* people.listIdentities(found.id)).length === 0
    if (actor.kind === "person" && !isMember && !opensOwn && onlyByLink) {
      return yield* new Rejected({
        field: "email",
        message:
          "This address is known to another organization, and no mail server is configured that could send the link to " +
          "it alone. An operator of the server can add it: sov member invite"
      })
    }
    const added = yield* people.addMember(organizationId, found.id, role, yield* now, name)
    if (added) yield* endWhatOthersKnow(organizationId, found.id)
    const member = (yield* people.findMember(organizationId, found.id)) ?? { person: found, role }
    return { person: member.person, role: member.role, organizationId, isMember, added }
  }
)

/**
 * Makes a person a member of one or several organizations, all or none, and gives them one link of seven days. With a
 * mail server the link is mailed, and only the person knows it. Otherwise `url` contains it, to be shown once to the
 * inviting actor if `mayShowLink` allows it. When a person becomes a member, their links and sessions end that others
 * than the organization's owners may know, such as an owner of another organization who was shown a link: they would
 * open this organization too. If such links are the person's only way in (no mail server, no identity) and the actor
 * does not own everything they open, only the command line may add the member, and others get Rejected: an owner could
 * otherwise lock others out of a foreign organization. A present member keeps the role and gets a new link, which ends
 * their unused older invitations. Fails with Rejected beyond `maxInvitations` submissions an hour or
 * `maxOpenInvitations`. Returns `members` under each organization's name for them. Fails with NotFound for an unknown
 * organization, and for an actor who does not own it any more.
 */
export const inviteToAll = Effect.fn("inviteToAll")(
  function*(organizationIds: readonly [OrganizationId, ...ReadonlyArray<OrganizationId>], invitation: Invitation) {
    const [actor, mailer, people, organizations] = yield* Effect.all([Actor, Mailer, PersonStore, OrganizationStore])
    const submission = (yield* FormId) ?? (yield* newId(AuditEntryId))
    const invitedTo = yield* Effect.forEach(
      organizationIds,
      (id) =>
        Effect.flatMap(
          organizations.find(id),
          (found) => found === null ? Effect.fail(new NotFound({ what: "organization", id })) : Effect.succeed(found)
        )
    )
    const made = yield* changeAndNotify(Effect.gen(function*() {
      const found = yield* findOrMakePerson(invitation)
      yield* lockBoth(found.id, actor.personId)
      yield* checkSentInvitations(actor)
      const members = yield* Effect.forEach(organizationIds, (id) => addInvited(id, found, invitation))
      const mayShow = yield* mayShowLink(actor, found.id)
      // Only the newest link of a member works; a first invitation does not affect the links of other organizations
      if (members.some(({ isMember }) => isMember) && (mailer !== null || mayShow)) {
        yield* (yield* SessionStore).removeLinks(found.id, "invitation")
      }
      const link = mailer === null && !mayShow
        ? null
        : yield* makeLink(found, "invitation", mailer === null ? actor : null)
      for (const { organizationId, person, role } of members) {
        const acts = recordActs(organizationId, [
          { action: "member.invited", subjectId: found.id, detail: { name: person.name, role } },
          ...link === null ? [] : [makeLinkCreatedAct(person, "invitation")]
        ])
        yield* Effect.provideService(acts, FormId, submission)
      }
      if (link !== null) {
        const owned = yield* listOwned(actor, yield* people.listMemberships(found.id))
        const others = owned.map((one) => one.organization.id).filter((id) => !organizationIds.includes(id))
        yield* recordLink(others, members[0]!.person, "invitation")
      }
      return { members, link }
    }))

    const { link, members } = made
    const { person, role } = members.find(({ added }) => added) ?? members[0]!
    const invited = { members, expiresAt: link?.link.expiresAt ?? null }
    if (link === null) return { ...invited, url: null, mailed: false, mailError: null }
    const url = formatLinkUrl(invitation.origin, link.token)
    if (mailer === null || person.email === null) return { ...invited, url, mailed: false, mailError: null }
    const plain = renderInvitationMail({
      organizations: invitedTo.map(({ name }) => name),
      timeZone: invitedTo[0]!.timeZone,
      role,
      invitedBy: actor.kind === "person" ? actor.name : null,
      url,
      until: link.link.expiresAt
    })
    // An invitation to several organizations is in the name of none of them
    const content = organizationIds.length > 1
      ? plain
      : withBranding(plain, yield* (yield* BrandingStore).find(organizationIds[0]))
    const sent = yield* Effect.result(
      mailer.send({ ...content, id: yield* newId(EventId), to: person.email, createdAt: link.link.createdAt })
    )
    if (Result.isSuccess(sent)) return { ...invited, url: null, mailed: true, mailError: null }
    const isShown = yield* recordShown(organizationIds, person.id, link.token)
    return { ...invited, url: isShown ? url : null, mailed: false, mailError: sent.failure }
  }
)

/** Calls `inviteToAll` for one organization. */
export const inviteMember = Effect.fn("inviteMember")(
  function*(organizationId: OrganizationId, invitation: Invitation) {
    const { members: [member], ...invited } = yield* inviteToAll([organizationId], invitation)
    const { added, person, role } = member!
    return { ...invited, person, role, added }
  }
)
