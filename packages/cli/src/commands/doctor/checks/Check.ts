/** Types and helpers of the checks of `sov doctor`. */
import type { StoragePorts, StoreError } from "@sov/core/common"
import { Effect } from "effect"
import type { DatabaseProbe, FoundConfig, OwnerStatus } from "../../../runtime.ts"
import type { DatabaseLocation } from "../../../settings/databaseLocation.ts"
import type { GlobalOptions } from "../../../settings/GlobalOptions.ts"

/** The outcome of a check: a message and, if there is a problem, its fix. */
export type Finding =
  | { readonly status: "ok"; readonly message: string }
  | { readonly status: "warn" | "fail"; readonly message: string; readonly fix: string }
  /** The check could not run, or does not apply here (in which case there is no fix). */
  | { readonly status: "skipped"; readonly message: string; readonly fix?: string }

/** The state that checks examine. Parts that are expensive to read are read once, when a check first needs them. */
export interface CheckContext {
  readonly options: GlobalOptions
  readonly env: Readonly<Record<string, string | undefined>>
  readonly now: Date
  readonly home: DatabaseLocation
  /** Null if there is no configuration file. */
  readonly config: FoundConfig | null
  /** Null for a database on a server, or without a data directory. */
  readonly owner: OwnerStatus | null
  readonly database: Effect.Effect<DatabaseProbe>
  /** Whether platforms may be contacted. */
  readonly online: boolean
}

/** One check with the name that the list shows. If `run` fails, the check has failed. */
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

/** A check that needs the stores; skipped if they cannot be used. */
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
