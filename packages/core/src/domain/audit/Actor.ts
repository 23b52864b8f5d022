import { Schema } from "effect"
import type { ApiKeyId, OperatorKeyId, PersonId } from "../ids.ts"

/**
 * Kinds of actors: a person in the dashboard, an API key, somebody at the command line, sov itself (such as a
 * schedule), or a key of the operator, which belongs to no organization.
 */
export const ActorKind = Schema.Literals(["person", "key", "command line", "system", "operator"])
export type ActorKind = typeof ActorKind.Type

/** The actor, with its name at the time of the action. */
export interface Actor {
  readonly kind: ActorKind
  readonly name: string
  /** Only for a person, else null. */
  readonly personId: PersonId | null
  /** Only for an API key, else null or omitted. */
  readonly keyId?: ApiKeyId | null
  /** Only for a key of the operator. Not shown to organizations. */
  readonly operatorKeyId?: OperatorKeyId
  /** Only for a person: others who may be acting, because they may know the link that began the session. */
  readonly knownTo?: ReadonlyArray<PersonId>
}

/** Whether the actor runs the installation, at the command line or with an operator's key, and so may see any link. */
export const runsInstallation = ({ kind }: Actor): boolean => kind === "command line" || kind === "operator"

/** An operator who uses the command and so has access to the database. */
export const commandLine: Actor = { kind: "command line", name: "command line", personId: null }

/** The worker that carries out what was requested earlier. */
export const upkeep: Actor = { kind: "system", name: "upkeep", personId: null }

/** A schedule that starts a scan. */
export const scheduler: Actor = { kind: "system", name: "schedule", personId: null }
