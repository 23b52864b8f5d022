/** The methods of the stores of people, called by an organization for what belongs to another. */
import { at } from "@sov/core/testing"
import type { Tenants } from "./tenants.ts"

/** Persons, links and sessions belong to no organization. */
const across = null

/** A part of the table of `tenancyCalls.ts`. */
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
