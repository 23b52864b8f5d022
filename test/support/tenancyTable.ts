/** The form of the tenancy tables: what each method of a port is called with, and what it gives. */
import type { ArchivedCounts, Backlog } from "@sov/core"
import type { Effect } from "effect"
import type { Tenants } from "./tenants.ts"

/** The state of the sources of nothing. */
interface NoSources {
  readonly scores: 0
  readonly trackedSetVersion: 0
  readonly resolvedUrls: 0
  readonly derived: 0
}

/**
 * What B's call must give: exactly this value · `refused` a constraint of the schema stops it · `own` it works on B's
 * own rows.
 */
type Outcome =
  | null
  | false
  | 0
  | ArchivedCounts
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

/** By store and method; null for a method that looks across organizations by its nature, or has no rows of any. */
export interface CallTable {
  readonly [store: string]: { readonly [method: string]: ((tenants: Tenants) => Case) | null }
}
