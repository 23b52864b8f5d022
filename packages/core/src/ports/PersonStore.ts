/** PersonStore stores people, the identities by which issuers know them, and their memberships. */
import { Context, type Effect, Schema } from "effect"
import type { OrganizationId, PersonId } from "../domain/ids.ts"
import type { AttachedIdentity, Identity, Member, Membership, Person } from "../domain/people/Person.ts"
import type { Role } from "../domain/people/Role.ts"
import type { StoreError } from "./StoreError.ts"

/** Another person already has this e-mail address; nothing was changed. */
export class PersonExists extends Schema.TaggedError<PersonExists>()("PersonExists", {}) {
  override get message() {
    return "another person has this e-mail address"
  }
}

/** The organization would be left without an owner; nothing was changed. */
export class LastOwner extends Schema.TaggedError<LastOwner>()("LastOwner", {}) {
  override get message() {
    return "the organization would have no owner left; make another member an owner first"
  }
}

export class PersonStore extends Context.Service<PersonStore, {
  readonly create: (person: Person) => Effect.Effect<void, PersonExists | StoreError>
  readonly find: (id: PersonId) => Effect.Effect<Person | null, StoreError>
  /** The person with this address, ignoring case. */
  readonly findByEmail: (email: string) => Effect.Effect<Person | null, StoreError>
  readonly findByIdentity: (identity: Identity) => Effect.Effect<Person | null, StoreError>
  /**
   * Adds an identity. Returns false and changes nothing if a person already has it, or if this person has another
   * identity of the issuer. Therefore an address that was reassigned to another person does not transfer the former
   * holder's access.
   */
  readonly addIdentity: (id: PersonId, identity: Identity, at: Date) => Effect.Effect<boolean, StoreError>
  /** The identities of a person, oldest first. */
  readonly listIdentities: (id: PersonId) => Effect.Effect<ReadonlyArray<AttachedIdentity>, StoreError>
  /** Removes the person's identity of the issuer; null if there is no such identity. */
  readonly removeIdentity: (id: PersonId, issuer: string) => Effect.Effect<Identity | null, StoreError>
  /** Locks the person until the end of the transaction; null if there is no such person. */
  readonly lock: (id: PersonId) => Effect.Effect<Person | null, StoreError>
  readonly recordSignIn: (id: PersonId, at: Date) => Effect.Effect<void, StoreError>
  /** The organizations of a person, oldest first. */
  readonly listMemberships: (id: PersonId) => Effect.Effect<ReadonlyArray<Membership>, StoreError>
  /** The members of an organization, oldest first. */
  readonly listMembers: (organizationId: OrganizationId) => Effect.Effect<ReadonlyArray<Member>, StoreError>
  readonly findMember: (organizationId: OrganizationId, id: PersonId) => Effect.Effect<Member | null, StoreError>
  /**
   * Adds a member; returns false and changes nothing if the person already is a member. The organization knows them by
   * `name`, or by the person's own name if `name` is not given.
   */
  readonly addMember: (
    organizationId: OrganizationId,
    id: PersonId,
    role: Role,
    at: Date,
    name?: string
  ) => Effect.Effect<boolean, StoreError>
  /** Sets the role and returns the previous one; null if there is no such member. */
  readonly setRole: (
    organizationId: OrganizationId,
    id: PersonId,
    role: Role
  ) => Effect.Effect<Role | null, LastOwner | StoreError>
  /** Removes a member, but not the person. Returns the role that the member had; null if there is no such member. */
  readonly removeMember: (
    organizationId: OrganizationId,
    id: PersonId
  ) => Effect.Effect<Role | null, LastOwner | StoreError>
}>()("@sov/core/ports/PersonStore") {}
