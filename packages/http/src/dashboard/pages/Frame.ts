import type { Role } from "@sov/core/people"
import type { PlatformId } from "@sov/core/platforms"
import type { Query } from "../Address.ts"

/** The themes to choose from; without a choice, the system's theme applies. */
export const themes = ["light", "dark"] as const
export type Theme = (typeof themes)[number]

interface NamedOrganization {
  readonly name: string
  readonly slug: string
}

/** Data that every page shows around its own content: the person, the organization and the time. */
export interface Frame {
  /** The signed-in person, by the name used in the organization. */
  readonly person: { readonly name: string }
  readonly role: Role
  readonly organization: NamedOrganization
  /** All organizations of the person, including this one. */
  readonly organizations: ReadonlyArray<NamedOrganization>
  /** The operator's names of platforms; a platform without a name is shown by its identifier. */
  readonly platformLabels: ReadonlyMap<PlatformId, string>
  readonly theme: Theme | null
  /** The time when the page was created; its numbers are as of this time. */
  readonly at: Date
  /** Start of the history that the plan shows; null = no limit. */
  readonly since: Date | null
  /** The selected period, which the links of the menu keep. */
  readonly period?: Query
  /** A sentence about what the last form did; null = no form was sent. */
  readonly done: string | null
}
