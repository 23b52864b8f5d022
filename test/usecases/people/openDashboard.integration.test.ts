import { listMembers, openDashboard, PersonStore, signInWithLink } from "@sov/core"
import { seedOrganization } from "@sov/core/testing"
import { Effect } from "effect"
import { afterAll, describe, expect, it } from "vitest"
import { serverHomeOrAll } from "../../support/homes.ts"
import { seedMember } from "../../support/people.ts"
import { browser, readActs } from "../../support/signIn.ts"
import { accessRole, openStorage } from "../../support/storage.ts"

describe.each(serverHomeOrAll)("openDashboard on the %s home", (home) => {
  const { close, run } = openStorage(home, accessRole)
  afterAll(close)

  it("two simultaneous calls create one person and one link each", () =>
    run(Effect.gen(function*() {
      yield* seedOrganization()
      const [one, other] = yield* Effect.all([openDashboard("Ada"), openDashboard("Ada")], { concurrency: 2 })
      expect(one.person.id).toBe(other.person.id)
      expect(one.token).not.toBe(other.token)
    })))

  it("the operator owns every organization, even one where they were a viewer, and counts as nobody's guest", () =>
    run(Effect.gen(function*() {
      const people = yield* PersonStore
      const old = yield* seedOrganization()
      const invited = yield* seedMember(old.id)
      const { person } = yield* openDashboard("Ada")
      expect(person.id).not.toBe(invited.id)
      expect(yield* readActs(old.id)).toEqual(["command line: member.invited", "command line: link.created"])
      yield* people.setRole(old.id, person.id, "viewer")
      const young = yield* seedOrganization()
      const { token } = yield* openDashboard("another name")
      const { memberships, ...signedIn } = yield* signInWithLink(token, browser)
      expect(signedIn.person).toMatchObject({ id: person.id, name: person.name, email: null })
      const roles = new Map(memberships.map(({ organization, role }) => [organization.id, role]))
      expect([roles.get(old.id), roles.get(young.id)]).toEqual(["owner", "owner"])
      expect((yield* readActs(old.id)).slice(2)).toEqual([
        "command line: member.role_changed",
        "command line: link.created",
        `${person.name}: session.started`
      ])
      expect((yield* listMembers(young.id)).map((member) => member.person.id)).toEqual([person.id])
      yield* openDashboard("Ada")
      expect(yield* readActs(young.id)).toEqual([
        "command line: member.invited",
        "command line: link.created",
        `${person.name}: session.started`,
        "command line: link.created"
      ])
    })))
})
