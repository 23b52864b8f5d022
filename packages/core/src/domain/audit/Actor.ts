import { Schema } from "effect"
import type { ApiKeyId, OperatorKeyId, PersonId } from "../ids.ts"

/**
 * Kinds of actors: a person in the dashboard, an API key, somebody at the command line, sov itself (for example a
 * schedule), or a key of the operator, which belongs to no organization.
 */
export const ActorKind = Schema.Literals(["person", "key", "command line", "system", "operator"])
export type ActorKind = typeof ActorKind.Type

/** The acting person or program, with its name at the time of the action. */
export interface Actor {
  readonly kind: ActorKind
  readonly name: string
  /** Set only for a person. */
  readonly personId: PersonId | null
  /** Set only for an API key. */
  readonly keyId?: ApiKeyId | null
  /** Set only for a key of the operator. Not shown to organizations. */
  readonly operatorKeyId?: OperatorKeyId
  /**
   * Set only for a person: other people who may be the actor, because they may know the link that began the session.
   */
  readonly knownTo?: ReadonlyArray<PersonId>
}

/** Whether the actor runs the installation, at the command line or with an operator's key, and so may see any link. */
export const runsInstallation = ({ kind }: Actor): boolean => kind === "command line" || kind === "operator"

/** The actor for an operator at the command line, who has access to the database. */
export const commandLine: Actor = { kind: "command line", name: "command line", personId: null }

/** The actor for a worker that deletes an organization as requested, after the grace period. */
export const upkeep: Actor = { kind: "system", name: "upkeep", personId: null }

/** The actor for a schedule that starts a scan. */
export const scheduler: Actor = { kind: "system", name: "schedule", personId: null }
