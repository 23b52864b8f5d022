import type { Role } from "@sov/core/people"
import type { PlatformId } from "@sov/core/platforms"
import type { Query } from "../Address.ts"

/** Themes that a person may choose; without a choice, the system's theme applies. */
export const themes = ["light", "dark"] as const
export type Theme = (typeof themes)[number]

interface NamedOrganization {
  readonly name: string
  readonly slug: string
}

/** Data that every page shows in addition to its own: the person, the organization and the time. */
export interface Frame {
  /** The signed-in person, by the name that the organization knows. */
  readonly person: { readonly name: string }
  readonly role: Role
  readonly organization: NamedOrganization
  /** All organizations of the person, including this one. */
  readonly organizations: ReadonlyArray<NamedOrganization>
  /** The operator's names for platforms; a platform without one is shown by its identifier. */
  readonly platformLabels: ReadonlyMap<PlatformId, string>
  readonly theme: Theme | null
  /** When the page was created; its numbers are as of this time. */
  readonly at: Date
  /** Start of the history that the plan shows; null = no limit. */
  readonly since: Date | null
  /** The period of the page, which the links of the menu keep. */
  readonly period?: Query
  /** What a form has just done, as a sentence; null = nothing. */
  readonly done: string | null
}
