/** SessionStore stores sign-in links and sessions by the hashes of their tokens, never the tokens. */
import { Context, type Effect } from "effect"
import type { PersonId, SessionId } from "../domain/ids.ts"
import type { LinkPurpose, LoginLink } from "../domain/people/LoginLink.ts"
import type { Membership, Person } from "../domain/people/Person.ts"
import type { Session } from "../domain/people/Session.ts"
import type { StoreError } from "./StoreError.ts"

/** A session with its person and the organizations where that person is a member, oldest first. */
export interface FoundSession {
  readonly session: Session
  readonly person: Person
  readonly memberships: ReadonlyArray<Membership>
}

export class SessionStore extends Context.Service<SessionStore, {
  readonly insertLink: (link: LoginLink, hash: Uint8Array) => Effect.Effect<void, StoreError>
  /** The link, even if it was used or has expired; null if there is no such link. */
  readonly findLink: (hash: Uint8Array) => Effect.Effect<LoginLink | null, StoreError>
  /**
   * Uses the link: if several callers try, only one gets it. Null if it does not exist, was used or has expired, or if
   * its person is disabled.
   */
  readonly consumeLink: (hash: Uint8Array, at: Date) => Effect.Effect<LoginLink | null, StoreError>
  /** How many links the person has requested by e-mail since `since`. */
  readonly countMailedLinks: (id: PersonId, since: Date) => Effect.Effect<number, StoreError>
  /** Records who knows an unused link besides its person. */
  readonly recordMaker: (
    hash: Uint8Array,
    maker: PersonId,
    knownTo: ReadonlyArray<PersonId>
  ) => Effect.Effect<void, StoreError>
  /** Removes the unused links that sign this person in, for one purpose or for all. */
  readonly removeLinks: (id: PersonId, purpose?: LinkPurpose) => Effect.Effect<void, StoreError>
  /** Removes unused links for this person that someone other than the person and `trusted` may know. */
  readonly removeLinksKnownToOthers: (
    id: PersonId,
    trusted: ReadonlyArray<PersonId>
  ) => Effect.Effect<void, StoreError>
  /**
   * Removes the unused links that this person created for others, or may know because they may have acted as the
   * creator.
   */
  readonly removeLinksKnownTo: (id: PersonId) => Effect.Effect<void, StoreError>

  readonly insertSession: (session: Session, hash: Uint8Array) => Effect.Effect<void, StoreError>
  /** The session, even if it has ended; null if it does not exist or its person is disabled. */
  readonly findSession: (hash: Uint8Array) => Effect.Effect<FoundSession | null, StoreError>
  /** Records that the session was used at `at`. */
  readonly recordUse: (id: SessionId, at: Date) => Effect.Effect<void, StoreError>
  /** The sessions of a person, last used first. */
  readonly listSessions: (id: PersonId) => Effect.Effect<ReadonlyArray<Session>, StoreError>
  /** Removes a session by the hash of its token; null if there is no such session. */
  readonly removeByHash: (hash: Uint8Array) => Effect.Effect<Session | null, StoreError>
  /** Removes a session of the person; null if there is no such session. */
  readonly removeSession: (id: PersonId, session: SessionId) => Effect.Effect<Session | null, StoreError>
  /** Removes the sessions of a person; returns their number. */
  readonly removeSessions: (id: PersonId) => Effect.Effect<number, StoreError>
  /**
   * Removes sessions of this person that began with a link that someone other than the person and `trusted` may know;
   * returns their number.
   */
  readonly removeSessionsKnownToOthers: (
    id: PersonId,
    trusted: ReadonlyArray<PersonId>
  ) => Effect.Effect<number, StoreError>
  /** Removes the sessions of other people that began with links that this person may know; returns their number. */
  readonly removeSessionsKnownTo: (id: PersonId) => Effect.Effect<number, StoreError>
  /** Removes links and sessions that expired before `endedBefore`, and sessions not used since `seenBefore`. */
  readonly prune: (limits: { readonly endedBefore: Date; readonly seenBefore: Date }) => Effect.Effect<void, StoreError>
}>()("@sov/core/ports/SessionStore") {}
