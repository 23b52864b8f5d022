import { Effect, Schema } from "effect"
import { PersonId } from "../../domain/ids.ts"
import { consoleIdentity, type Person } from "../../domain/people/Person.ts"
import { OrganizationStore } from "../../ports/OrganizationStore.ts"
import { PersonStore } from "../../ports/PersonStore.ts"
import { Transaction } from "../../ports/Transaction.ts"
import { changeAndNotify } from "../access/keyCacheInvalidation.ts"
import { recordActs } from "../audit/recordActs.ts"
import { newId } from "../newId.ts"
import { now } from "../now.ts"
import { makeLink, recordLink } from "./makeLink.ts"

/** Another process has created the command's person concurrently. */
class MadeMeanwhile extends Schema.TaggedError<MadeMeanwhile>()("MadeMeanwhile", {}) {}

const findOrMakePerson = Effect.fnUntraced(function*(name: string) {
  const people = yield* PersonStore
  const known = yield* people.findByIdentity(consoleIdentity)
  if (known !== null) return known
  const at = yield* now
  const id = yield* newId(PersonId)
  const person: Person = { id, name, email: null, createdAt: at, signedInAt: null, disabledAt: null }
  yield* people.create(person)
  if (!(yield* people.addIdentity(id, consoleIdentity, at))) return yield* new MadeMeanwhile()
  return person
})

/** Makes the person an owner of every organization. */
const ownAll = Effect.fnUntraced(function*(person: Person) {
  const people = yield* PersonStore
  const at = yield* now
  const roles = new Map(
    (yield* people.listMemberships(person.id)).map(({ organization, role }) => [organization.id, role])
  )
  for (const { id } of yield* (yield* OrganizationStore).list) {
    const before = roles.get(id)
    if (before === "owner") continue
    const detail = { name: person.name, role: "owner" } as const
    if (before === undefined) {
      yield* people.addMember(id, person.id, "owner", at)
      yield* recordActs(id, [{ action: "member.invited", subjectId: person.id, detail }])
    } else {
      yield* people.setRole(id, person.id, "owner")
      yield* recordActs(id, [{ action: "member.role_changed", subjectId: person.id, detail: { ...detail, before } }])
    }
  }
})

/**
 * Creates a link that signs in the operator, who is a person with access to the database. The first call names the
 * person `name`. The operator is an owner of every organization, including new ones. `token` is not stored; the link
 * works for ten minutes.
 */
export const openDashboard = Effect.fn("openDashboard")(function*(name: string) {
  const { run } = yield* Transaction
  const open = Effect.gen(function*() {
    const person = yield* findOrMakePerson(name)
    const people = yield* PersonStore
    yield* people.lock(person.id)
    yield* ownAll(person)
    const made = yield* makeLink(person, "console", null)
    const memberships = yield* people.listMemberships(person.id)
    yield* recordLink(memberships.map(({ organization }) => organization.id), person, "console")
    return { person, ...made }
  })
  const owned = yield* (yield* PersonStore).findByIdentity(consoleIdentity)
  // A signed-in person sees the new organizations at once
  return yield* (owned === null ? run(open) : changeAndNotify(open)).pipe(
    Effect.retry({ times: 1, while: (error) => error._tag === "MadeMeanwhile" }),
    Effect.catchTag("MadeMeanwhile", Effect.die)
  )
})
