/** What a check of `sov doctor` is. */
import type { StoragePorts, StoreError } from "@sov/core/common"
import { Effect } from "effect"
import type { DatabaseProbe, FoundConfig, OwnerStatus } from "../../../runtime.ts"
import type { DatabaseLocation } from "../../../settings/databaseLocation.ts"
import type { GlobalOptions } from "../../../settings/GlobalOptions.ts"

/** The outcome: one line, and one with the fix where there is a problem. */
export type Finding =
  | { readonly status: "ok"; readonly message: string }
  | { readonly status: "warn" | "fail"; readonly message: string; readonly fix: string }
  /** It could not be checked, or does not apply here (then there is no fix). */
  | { readonly status: "skipped"; readonly message: string; readonly fix?: string }

/** What checks examine. Expensive parts are computed once, when the first check needs them. */
export interface CheckContext {
  readonly options: GlobalOptions
  readonly env: Readonly<Record<string, string | undefined>>
  readonly now: Date
  readonly home: DatabaseLocation
  /** Null when it is missing. */
  readonly config: FoundConfig | null
  /** Null on a server, or without a data directory. */
  readonly owner: OwnerStatus | null
  readonly database: Effect.Effect<DatabaseProbe>
  /** Whether platforms may be contacted. */
  readonly online: boolean
}

/** One check, by the name it has in the list. A failure of `run` is a failed check. */
export interface Check {
  readonly name: string
  readonly run: (at: CheckContext) => Effect.Effect<Finding, StoreError>
}

export const ok = (message: string): Finding => ({ status: "ok", message })
export const warn = (message: string, fix: string): Finding => ({ status: "warn", message, fix })
export const fail = (message: string, fix: string): Finding => ({ status: "fail", message, fix })
export const skipped = (message: string, fix?: string): Finding => ({
  status: "skipped",
  message,
  ...fix === undefined ? {} : { fix }
})

/** A check that needs the stores; skipped where they cannot be used. */
export const makeStoreCheck = (
  name: string,
  look: (at: CheckContext) => Effect.Effect<Finding, StoreError, StoragePorts>
): Check => ({
  name,
  run: (at) =>
    Effect.flatMap(at.database, (found) =>
      found.state === "open" && found.stores !== null
        ? Effect.provide(look(at), found.stores)
        : Effect.succeed(
          skipped("no database of this version to check", "see the checks `database` and `migrations`")
        ))
})
