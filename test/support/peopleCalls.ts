/** Calls of the stores of people, made by one organization for data of another. */
import { at } from "@sov/core/testing"
import type { Tenants } from "./tenants.ts"

/** Persons, links and sessions do not belong to an organization. */
const across = null

/** One part of the table in `tenancyCalls.ts`. */
export const peopleCalls = {
  PersonStore: {
    create: across,
    find: across,
    findByEmail: across,
    findByIdentity: across,
    addIdentity: across,
    listIdentities: across,
    removeIdentity: across,
    lock: across,
    recordSignIn: across,
    listMemberships: across,
    listMembers: ({ b }: Tenants) => [[b], []] as const,
    findMember: ({ a, b }: Tenants) => [[b, a.personId], null] as const,
    addMember: ({ a, b }: Tenants) => [[b, a.personId, "viewer", at(50)], "own"] as const,
    setRole: ({ a, b }: Tenants) => [[b, a.personId, "viewer"], null] as const,
    removeMember: ({ a, b }: Tenants) => [[b, a.personId], null] as const
  },
  SessionStore: {
    insertLink: across,
    findLink: across,
    consumeLink: across,
    countMailedLinks: across,
    recordMaker: across,
    removeLinks: across,
    removeLinksKnownToOthers: across,
    removeLinksKnownTo: across,
    insertSession: across,
    findSession: across,
    recordUse: across,
    listSessions: across,
    removeByHash: across,
    removeSession: across,
    removeSessions: across,
    removeSessionsKnownToOthers: across,
    removeSessionsKnownTo: across,
    prune: across
  }
}
