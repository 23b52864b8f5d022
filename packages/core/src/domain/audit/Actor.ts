import { Schema } from "effect"
import type { ApiKeyId, OperatorKeyId, PersonId } from "../ids.ts"

/**
 * Who can act: a person in the dashboard, an API key, somebody at the command line, sov itself, such as a schedule, or
 * a key of the operator, which belongs to no organization.
 */
export const ActorKind = Schema.Literals(["person", "key", "command line", "system", "operator"])
export type ActorKind = typeof ActorKind.Type

/** Who acts, with the name that they have at that moment. */
export interface Actor {
  readonly kind: ActorKind
  readonly name: string
  /** Of a person, else null. */
  readonly personId: PersonId | null
  /** Of an API key, else null or left out. */
  readonly keyId?: ApiKeyId | null
  /** Of a key of the operator. An organization is not told it. */
  readonly operatorKeyId?: OperatorKeyId
  /** Of a person: who else it may be, because they may know the link that began the session. */
  readonly knownTo?: ReadonlyArray<PersonId>
}

/** Whether this is somebody who runs the installation, at the command line or by a key: they may see any link. */
export const runsInstallation = ({ kind }: Actor): boolean => kind === "command line" || kind === "operator"

/** An operator who reaches the database with the command. */
export const commandLine: Actor = { kind: "command line", name: "command line", personId: null }

/** The worker that ends what was requested earlier. */
export const upkeep: Actor = { kind: "system", name: "upkeep", personId: null }

/** A schedule, which starts a scan at its times. */
export const scheduler: Actor = { kind: "system", name: "schedule", personId: null }
