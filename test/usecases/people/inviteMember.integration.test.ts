/** Invitations: who gets the link, and that it opens nothing that the one who invites does not own. */
import {
  actorOfSession,
  CurrentActor,
  type EmailAddress,
  type FoundSession,
  hashRandomToken,
  inviteMember,
  inviteToAll,
  listMembers,
  makeFormId,
  maxInvitations,
  maxOpenInvitations,
  type OrganizationId,
  type Person,
  type PersonId,
  PersonStore,
  readLoginLink,
  removeMember,
  runOnce,
  SessionStore,
  setRole,
  signInWithLink,
  signOut
} from "@sov/core"
import { at, seedOrganization } from "@sov/core/testing"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { afterAll, describe, expect, it } from "vitest"
import { serverHomeOrAll } from "../../support/homes.ts"
import { seedInvitations, seedLink, seedMember, seedSession } from "../../support/people.ts"
import { as, browser, makeMailServer, origin, readActs, tokenIn } from "../../support/signIn.ts"
import { accessRole, openStorage } from "../../support/storage.ts"

const clock = Effect.provide(Layer.fresh(TestClock.layer()))

describe.each(serverHomeOrAll)("inviteMember on the %s home", (home) => {
  const { close, run } = openStorage(home, accessRole)
  afterAll(close)

  /** An organization with its owner, and the invitation of somebody new. */
  const seed = Effect.gen(function*() {
    const { id } = yield* seedOrganization()
    const owner = yield* seedMember(id)
    return {
      id,
      owner,
      invitation: { email: `ben-${id}@people.example` as EmailAddress, role: "viewer", origin } as const
    }
  })

  it("without a mail server, the link is shown to the owner and works for seven days", () =>
    run(clock(Effect.gen(function*() {
      yield* TestClock.setTime(Date.UTC(2026, 7, 1))
      const { id, invitation, owner } = yield* seed
      const { expiresAt, person, url, ...rest } = yield* as(owner)(inviteMember(id, invitation))
      expect(rest).toEqual({ role: "viewer", added: true, mailed: false, mailError: null })
      expect(person).toMatchObject({ name: `ben-${id}`, email: invitation.email, signedInAt: null })
      expect(expiresAt).toEqual(new Date(Date.UTC(2026, 7, 8)))
      expect(yield* readActs(id)).toEqual([`${owner.name}: member.invited`, `${owner.name}: link.created`])
      yield* TestClock.adjust("7 days")
      yield* TestClock.adjust(-1)
      const { memberships } = yield* readLoginLink(tokenIn(url!))
      expect(memberships).toMatchObject([{ organization: { id }, role: "viewer" }])
      yield* TestClock.adjust(1)
      expect(yield* Effect.flip(readLoginLink(tokenIn(url!)))).toMatchObject({ _tag: "LinkRefused" })
    }))))

  it("with a mail server, the link is mailed and hidden; if mailing fails, the link is shown unless it was used", () =>
    run(Effect.gen(function*() {
      const { id, invitation, owner } = yield* seed
      const { server, withMail } = makeMailServer()
      const mailed = yield* as(owner)(withMail(inviteMember(id, { ...invitation, name: "Ben" })))
      expect(mailed).toMatchObject({ mailed: true, url: null, person: { name: "Ben" } })
      expect(server.sent[0]).toMatchObject({
        to: invitation.email,
        subject: expect.stringContaining("you are invited")
      })
      expect(server.sent[0]!.text).toContain(`${owner.name} invites you to Org ${id} as a viewer`)
      server.broken = true
      const shown = yield* as(owner)(withMail(inviteMember(id, invitation)))
      expect(shown).toMatchObject({ mailed: false, added: false, mailError: { reason: "unreachable" } })
      const link = yield* (yield* SessionStore).findLink(hashRandomToken(tokenIn(shown.url!)))
      expect(link).toMatchObject({ madeBy: owner.id, usedAt: null })
      const { session } = yield* signInWithLink(tokenIn(shown.url!), browser)
      expect(session).toMatchObject({ method: "invitation", personId: mailed.person.id, madeBy: owner.id })
      const refused = yield* as(owner)(withMail(inviteMember(id, invitation)))
      expect(refused).toMatchObject({ url: null, mailed: false, mailError: { reason: "unreachable" } })
    })))

  it("a person who is already a member keeps the role and gets a new link, which ends the older link", () =>
    run(Effect.gen(function*() {
      const { id, invitation, owner } = yield* seed
      const first = yield* as(owner)(inviteMember(id, invitation))
      const again = yield* as(owner)(inviteMember(id, { ...invitation, role: "owner" }))
      expect(again).toMatchObject({ added: false, role: "viewer", person: { id: first.person.id } })
      expect(yield* Effect.flip(readLoginLink(tokenIn(first.url!)))).toMatchObject({ _tag: "LinkRefused" })
      expect((yield* readLoginLink(tokenIn(again.url!))).memberships).toMatchObject([{ role: "viewer" }])
      expect((yield* listMembers(id)).map(({ role }) => role)).toEqual(["owner", "viewer"])
    })))

  it("a link is mailed, not shown, to an owner who does not own all its organizations; the command line shows it", () =>
    run(Effect.gen(function*() {
      const { id, invitation, owner } = yield* seed
      const foreign = yield* seed
      yield* as(foreign.owner)(inviteMember(foreign.id, invitation))
      const { server, withMail } = makeMailServer()
      expect(yield* Effect.flip(as(owner)(inviteMember(id, invitation)))).toMatchObject({
        _tag: "Rejected",
        field: "email"
      })
      expect(yield* listMembers(id)).toHaveLength(1)
      server.broken = true
      expect(yield* as(owner)(withMail(inviteMember(id, invitation)))).toMatchObject({
        added: true,
        url: null,
        mailed: false
      })
      server.broken = false
      expect(yield* as(owner)(withMail(inviteMember(id, invitation)))).toMatchObject({ url: null, mailed: true })
      expect((yield* readLoginLink(tokenIn(server.sent[0]!.text))).memberships).toHaveLength(2)
      expect((yield* inviteMember(id, invitation)).url).toContain(origin)
      yield* (yield* PersonStore).addMember(foreign.id, owner.id, "member", at(9))
      expect((yield* as(owner)(inviteMember(id, invitation))).url).toBe(null)
      yield* setRole(foreign.id, owner.id, "owner")
      expect((yield* as(owner)(inviteMember(id, invitation))).url).toContain(origin)
    })))

  it("a link or session that another owner was shown does not give access to a second organization", () =>
    run(Effect.gen(function*() {
      const { id, invitation, owner } = yield* seed
      const foreign = yield* seed
      const sessions = yield* SessionStore
      const { person, url } = yield* as(foreign.owner)(inviteMember(foreign.id, invitation))
      const { session } = yield* signInWithLink(tokenIn(url!), browser)
      const kept = yield* seedLink(person.id, {
        purpose: "invitation",
        madeBy: foreign.owner.id,
        expiresAt: new Date(Date.now() + 60_000)
      })
      const own = yield* seedSession(person.id, { method: "mail", seenAt: new Date() })
      // An owner who cannot reach the person alone ends nothing of theirs
      yield* Effect.flip(as(owner)(inviteMember(id, invitation)))
      yield* readLoginLink(kept.token)
      expect(yield* sessions.listSessions(person.id)).toHaveLength(2)
      yield* as(owner)(makeMailServer().withMail(inviteMember(id, invitation)))
      expect(yield* Effect.flip(readLoginLink(kept.token))).toMatchObject({ _tag: "LinkRefused" })
      const left = (yield* sessions.listSessions(person.id)).map((one) => one.id)
      expect(left).toEqual([own.session.id])
      expect(left).not.toContain(session.id)
      expect((yield* as(foreign.owner)(inviteMember(foreign.id, invitation))).url).toBe(null)
    })))

  it("links and sessions that only the person knows stay valid, including mailed links and their sessions", () =>
    run(Effect.gen(function*() {
      const { id, invitation, owner } = yield* seed
      const [second, rival] = [yield* seed, yield* seed]
      const { server, withMail } = makeMailServer()
      const sessions = yield* SessionStore
      yield* (yield* PersonStore).addMember(second.id, owner.id, "owner", at(9))
      const shown = yield* as(owner)(inviteMember(id, invitation))
      yield* as(owner)(inviteMember(second.id, invitation))
      yield* readLoginLink(tokenIn(shown.url!))
      yield* as(owner)(withMail(inviteMember(id, invitation)))
      const signedIn = yield* signInWithLink(tokenIn(server.sent[0]!.text), browser)
      yield* as(owner)(withMail(inviteMember(id, invitation)))
      const unused = tokenIn(server.sent[1]!.text)
      yield* as(rival.owner)(withMail(inviteMember(rival.id, invitation)))
      yield* readLoginLink(unused)
      expect((yield* sessions.findSession(hashRandomToken(signedIn.token)))?.memberships).toHaveLength(3)
      expect(yield* Effect.flip(readLoginLink(tokenIn(shown.url!)))).toMatchObject({ _tag: "LinkRefused" })
    })))

  it("links and sessions also keep working when the command line or an owner of both organizations adds the person", () =>
    run(Effect.gen(function*() {
      const { id, invitation, owner } = yield* seed
      const [rival, third] = [yield* seed, yield* seed]
      const sessions = yield* SessionStore
      const people = yield* PersonStore
      const shown = yield* as(owner)(inviteMember(id, invitation))
      const { token } = yield* as(owner)(inviteMember(id, invitation)).pipe(
        Effect.flatMap(({ url }) => signInWithLink(tokenIn(url!), browser))
      )
      const added = yield* inviteMember(rival.id, { ...invitation, role: "owner" })
      expect(yield* sessions.findSession(hashRandomToken(token))).toBe(null)
      expect(yield* Effect.flip(readLoginLink(tokenIn(shown.url!)))).toMatchObject({ _tag: "LinkRefused" })
      expect((yield* readLoginLink(tokenIn(added.url!))).memberships).toHaveLength(2)
      for (const one of [id, rival.id]) yield* people.addMember(one, third.owner.id, "owner", at(9))
      const again = yield* as(rival.owner)(makeMailServer().withMail(inviteMember(rival.id, invitation)))
      expect(again).toMatchObject({ added: false, mailed: true })
      const byCommand = yield* inviteMember(rival.id, invitation)
      const rivals = yield* seedLink(added.person.id, {
        purpose: "invitation",
        madeBy: rival.owner.id,
        expiresAt: new Date(Date.now() + 60_000)
      })
      yield* as(third.owner)(inviteMember(third.id, invitation))
      expect(yield* Effect.flip(readLoginLink(rivals.token))).toMatchObject({ _tag: "LinkRefused" })
      // An operator with the database made this one, and can do everything anyway
      expect((yield* readLoginLink(tokenIn(byCommand.url!))).memberships).toHaveLength(3)
    })))

  it("a link for a person who has signed in before is shown only at the command line", () =>
    run(Effect.gen(function*() {
      const { id, invitation, owner } = yield* seed
      const { url } = yield* as(owner)(inviteMember(id, invitation))
      const { person } = yield* signInWithLink(tokenIn(url!), browser)
      expect(yield* as(owner)(inviteMember(id, invitation)))
        .toMatchObject({ added: false, url: null, expiresAt: null, mailed: false })
      yield* as(owner)(removeMember(id, person.id))
      expect(yield* as(owner)(inviteMember(id, invitation))).toMatchObject({ added: true, url: null })
      yield* readLoginLink(tokenIn((yield* inviteMember(id, invitation)).url!))
    })))

  it.each([
    ["is removed", (id: OrganizationId, person: PersonId) => Effect.asVoid(removeMember(id, person))] as const,
    [
      "is an owner no more",
      (id: OrganizationId, person: PersonId) => Effect.asVoid(setRole(id, person, "viewer"))
    ] as const
  ])(
    "sessions from an owner's links end when that owner %s, and no other sessions end",
    (_, takeAway) =>
      run(Effect.gen(function*() {
        const { id, invitation, owner } = yield* seed
        const other = yield* seedMember(id)
        const sessions = yield* SessionStore
        const signInBy = (from: Person, email: string) =>
          as(from)(inviteMember(id, { ...invitation, email: email as EmailAddress })).pipe(
            Effect.flatMap(({ url }) => signInWithLink(tokenIn(url!), browser))
          )
        const ended = yield* signInBy(other, invitation.email)
        const kept = yield* signInBy(owner, `carol-${id}@people.example`)
        const mailed = yield* seedSession(ended.person.id, { method: "mail", seenAt: new Date() })
        yield* as(owner)(takeAway(id, other.id))
        expect(yield* sessions.findSession(hashRandomToken(ended.token))).toBe(null)
        expect(yield* sessions.findSession(hashRandomToken(kept.token))).not.toBe(null)
        expect(yield* sessions.findSession(mailed.hash)).not.toBe(null)
      }))
  )

  it("a former owner keeps no access through people whose sessions came from their link, through any number of people", () =>
    run(Effect.gen(function*() {
      const { id, invitation, owner } = yield* seed
      const mallory = yield* seedMember(id)
      const sessions = yield* SessionStore
      /** A person who is shown the link signs in by it at once, and invites from there. */
      const passOn = Effect.fnUntraced(function*(session: FoundSession, name: string) {
        const email = `${name}-${id}@people.example` as EmailAddress
        const { url } = yield* Effect.provideService(
          inviteMember(id, { ...invitation, email, role: "owner" }),
          CurrentActor,
          actorOfSession(session)
        )
        return yield* signInWithLink(tokenIn(url!), browser)
      })
      const begin = Effect.fnUntraced(function*(person: Person) {
        const { token } = yield* seedSession(person.id, { seenAt: new Date() })
        return (yield* sessions.findSession(hashRandomToken(token)))!
      })
      const ben = yield* passOn(yield* begin(mallory), "ben")
      const carol = yield* passOn(ben, "carol")
      expect(carol.session).toMatchObject({ madeBy: ben.person.id, knownTo: [mallory.id] })
      const dora = yield* passOn(carol, "dora")
      const kept = yield* passOn(yield* begin(owner), "eve")
      const unused = yield* Effect.provideService(
        inviteMember(id, { ...invitation, email: `fay-${id}@people.example` as EmailAddress }),
        CurrentActor,
        actorOfSession(dora)
      )
      yield* as(owner)(removeMember(id, mallory.id))
      for (const { token } of [ben, carol, dora]) {
        expect(yield* sessions.findSession(hashRandomToken(token))).toBe(null)
      }
      expect(yield* Effect.flip(readLoginLink(tokenIn(unused.url!)))).toMatchObject({ _tag: "LinkRefused" })
      expect(yield* sessions.findSession(hashRandomToken(kept.token))).not.toBe(null)
    })))

  it("an organization sees only its own facts about a member: the name given there, and later sign-ins", () =>
    run(Effect.gen(function*() {
      const { id, invitation, owner } = yield* seed
      const foreign = yield* seed
      const first = yield* as(foreign.owner)(inviteMember(foreign.id, { ...invitation, name: "Benny of Rival" }))
      const signedIn = yield* signInWithLink(tokenIn(first.url!), browser)
      const invited = yield* as(owner)(makeMailServer().withMail(inviteMember(id, invitation)))
      expect(invited.person).toMatchObject({ id: first.person.id, name: `ben-${id}`, signedInAt: null })
      const shown = Effect.map(listMembers(id), (all) => all.find(({ person }) => person.id === first.person.id))
      expect((yield* shown)?.person).toMatchObject({ name: `ben-${id}`, signedInAt: null })
      const { token } = yield* inviteMember(id, invitation).pipe(
        Effect.flatMap(({ url }) => signInWithLink(tokenIn(url!), { ...browser, presented: signedIn.token }))
      )
      expect((yield* shown)?.person.signedInAt).not.toBe(null)
      yield* signOut(token)
      expect(yield* readActs(id)).toEqual([
        `${owner.name}: member.invited`,
        `${owner.name}: link.created`,
        "command line: member.invited",
        "command line: link.created",
        `ben-${id}: session.started`,
        `ben-${id}: session.ended`
      ])
      expect((yield* readActs(foreign.id)).slice(-2)).toEqual([
        "Benny of Rival: session.started",
        "Benny of Rival: session.ended"
      ])
    })))

  it("links that an owner created end when the owner loses the role", () =>
    run(Effect.gen(function*() {
      const { id, invitation, owner } = yield* seed
      const other = yield* seedMember(id)
      const first = yield* as(other)(inviteMember(id, invitation))
      yield* as(owner)(setRole(id, other.id, "member"))
      expect(yield* Effect.flip(readLoginLink(tokenIn(first.url!)))).toMatchObject({ _tag: "LinkRefused" })
      yield* setRole(id, other.id, "owner")
      const second = yield* as(other)(inviteMember(id, invitation))
      yield* as(owner)(removeMember(id, other.id))
      expect(yield* Effect.flip(readLoginLink(tokenIn(second.url!)))).toMatchObject({ _tag: "LinkRefused" })
      expect((yield* readActs(id)).filter((act) => !/: (?:member\.invited|link\.created)$/.test(act))).toEqual([
        `${owner.name}: member.role_changed`,
        "command line: member.role_changed",
        `${owner.name}: member.removed`
      ])
    })))

  it("leaving the last organization ends a person's sessions and links; leaving another one does not", () =>
    run(Effect.gen(function*() {
      const [{ id }, other] = [yield* seed, yield* seed]
      const sessions = yield* SessionStore
      const ben = yield* seedMember(id, "viewer")
      yield* (yield* PersonStore).addMember(other.id, ben.id, "viewer", at(1))
      const { hash } = yield* seedSession(ben.id)
      const link = yield* seedLink(ben.id, { purpose: "mail" })
      expect(yield* removeMember(id, ben.id)).toMatchObject({ person: { id: ben.id }, role: "viewer" })
      expect((yield* sessions.findSession(hash))?.memberships).toMatchObject([{ organization: { id: other.id } }])
      yield* removeMember(other.id, ben.id)
      expect([yield* sessions.findSession(hash), yield* sessions.findLink(link.hash)]).toEqual([null, null])
      expect(yield* Effect.flip(removeMember(other.id, ben.id))).toMatchObject({ _tag: "NotFound", what: "member" })
      expect(yield* Effect.flip(setRole(other.id, ben.id, "owner"))).toMatchObject({ _tag: "NotFound" })
    })))

  it("an owner can send 50 invitations an hour over all organizations; other owners and the command line are not affected", () =>
    run(clock(Effect.gen(function*() {
      yield* TestClock.setTime(Date.UTC(2026, 8, 1))
      const { id, invitation, owner } = yield* seed
      const [second, other] = [yield* seed, yield* seedMember(id)]
      yield* (yield* PersonStore).addMember(second.id, owner.id, "owner", at(9))
      yield* as(owner)(inviteMember(id, invitation))
      yield* seedInvitations(second.id, owner, maxInvitations - 2, new Date(Date.UTC(2026, 8, 1)))
      yield* as(owner)(inviteMember(second.id, invitation))
      const invite = as(owner)(inviteMember(id, invitation))
      expect(yield* Effect.flip(invite)).toMatchObject({
        _tag: "Rejected",
        field: "email",
        message: expect.stringContaining("50 invitations within an hour")
      })
      yield* as(other)(inviteMember(id, invitation))
      yield* inviteMember(id, invitation)
      yield* TestClock.adjust("1 hour")
      yield* invite
    }))))

  it("an invitation to 60 organizations counts as one, and its form cannot invite to others", () =>
    run(clock(Effect.gen(function*() {
      yield* TestClock.setTime(Date.UTC(2026, 8, 1))
      const { id, invitation, owner } = yield* seed
      const people = yield* PersonStore
      const rest = yield* Effect.forEach(Array.from({ length: maxInvitations + 9 }), () => seedOrganization())
      for (const one of rest) yield* people.addMember(one.id, owner.id, "owner", at(9))
      const [toAll, formId] = [inviteToAll([id, ...rest.map((one) => one.id)], invitation), yield* makeFormId]
      expect((yield* as(owner)(runOnce(id, formId, toAll))).members.filter(({ added }) => added)).toHaveLength(60)
      expect(yield* as(owner)(toAll)).toMatchObject({ mailed: false })
      expect(yield* Effect.flip(as(owner)(runOnce(id, formId, toAll)))).toMatchObject({ _tag: "DoneBefore" })
      const other = rest[0]!.id
      const again = { ...invitation, email: `carol-${id}@people.example` as EmailAddress }
      const elsewhere = runOnce(other, yield* makeFormId, inviteMember(other, again))
      expect(yield* as(owner)(elsewhere)).toMatchObject({ added: true })
      yield* seedInvitations(other, owner, maxInvitations - 4, new Date(Date.UTC(2026, 8, 1)))
      const used = yield* makeFormId
      yield* as(owner)(runOnce(other, used, inviteMember(other, again)))
      expect(yield* Effect.flip(as(owner)(runOnce(id, used, inviteMember(id, again))))).toMatchObject({
        _tag: "Rejected",
        message: expect.stringContaining("already submitted")
      })
      expect(yield* Effect.flip(as(owner)(toAll))).toMatchObject({ message: expect.stringContaining("within an hour") })
    }))))

  it("an organization has at most 100 members who have not signed in; existing members can be invited again", () =>
    run(Effect.gen(function*() {
      const { id, invitation, owner } = yield* seed
      const people = yield* PersonStore
      yield* as(owner)(inviteMember(id, invitation))
      const open = (yield* people.listMembers(id)).filter(({ person }) => person.signedInAt === null).length
      for (let n = open; n < maxOpenInvitations; n++) yield* seedMember(id, "viewer")
      yield* as(owner)(inviteMember(id, invitation))
      const carol = { ...invitation, email: `carol-${id}@people.example` as EmailAddress }
      expect(yield* Effect.flip(as(owner)(inviteMember(id, carol)))).toMatchObject({
        _tag: "Rejected",
        field: "email",
        message: expect.stringContaining("100 members are invited and have not signed in yet")
      })
      expect(yield* people.listMembers(id)).toHaveLength(maxOpenInvitations)
      expect(yield* inviteMember(id, carol)).toMatchObject({ added: true })
    })))

  it("the last owner cannot be removed, and nothing is recorded", () =>
    run(Effect.gen(function*() {
      const { id, owner } = yield* seed
      expect(yield* Effect.flip(setRole(id, owner.id, "viewer"))).toMatchObject({ _tag: "LastOwner" })
      expect(yield* Effect.flip(removeMember(id, owner.id))).toMatchObject({ _tag: "LastOwner" })
      expect(yield* setRole(id, owner.id, "owner")).toBe("owner")
      expect(yield* readActs(id)).toEqual([])
    })))
})
