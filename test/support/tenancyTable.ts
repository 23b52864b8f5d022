/** The form of the tenancy tables: the arguments and the expected result of each method of a port. */
import type { ArchivedCounts, Backlog, noBranding } from "@sov/core"
import type { Effect } from "effect"
import type { Tenants } from "./tenants.ts"

/** The state of sources without any source. */
interface NoSources {
  readonly scores: 0
  readonly trackedSetVersion: 0
  readonly resolvedUrls: 0
  readonly derived: 0
}

/**
 * The expected result of B's call: exactly this value · `refused`: a constraint of the schema stops it · `own`: it
 * works on B's own rows.
 */
type Outcome =
  | null
  | false
  | 0
  | ArchivedCounts
  | typeof noBranding
  | { readonly answers: 0; readonly measured: 0 }
  | { readonly active: 0; readonly asked: 0 }
  | { readonly answers: 0; readonly derived: 0 }
  | NoSources
  | { readonly newest: null; readonly state: NoSources }
  | Backlog
  | { readonly rows: ReadonlyArray<never>; readonly reached: null; readonly begin: Date }
  | { readonly rows: ReadonlyArray<never>; readonly next: null }
  | { readonly before: null; readonly after: null }
  | ReadonlyArray<never>
  | ReadonlySet<never>
  | ReadonlyMap<unknown, unknown>
  | undefined
  | "refused"
  | "own"
type Case = readonly [args: ReadonlyArray<unknown> | Effect.Effect<ReadonlyArray<unknown>, unknown, never>, Outcome]

/**
 * Calls by store and method; null for a method that works across organizations by design, or whose rows belong to no
 * organization.
 */
export interface CallTable {
  readonly [store: string]: { readonly [method: string]: ((tenants: Tenants) => Case) | null }
}
