import type { Role } from "@sov/core/people"
import type { PlatformId } from "@sov/core/platforms"
import type { Query } from "../Address.ts"

/** Colours that somebody may choose; without a choice the system's hold. */
export const themes = ["light", "dark"] as const
export type Theme = (typeof themes)[number]

interface NamedOrganization {
  readonly name: string
  readonly slug: string
}

/** What every page shows beside its own data: who looks at whose data, and when. */
export interface Frame {
  /** Who looks, by the name that the organization knows. */
  readonly person: { readonly name: string }
  readonly role: Role
  readonly organization: NamedOrganization
  /** All organizations of the person, this one as well. */
  readonly organizations: ReadonlyArray<NamedOrganization>
  /** The operator's names of platforms; one without stands by its identifier. */
  readonly platformLabels: ReadonlyMap<PlatformId, string>
  readonly theme: Theme | null
  /** When the page was made: its numbers hold as of then. */
  readonly at: Date
  /** Since when the plan shows data; null = since the beginning. */
  readonly since: Date | null
  /** The period of the page, which links of the menu carry along. */
  readonly period?: Query
  /** What a form has just done, as a sentence; null = nothing. */
  readonly done: string | null
}
