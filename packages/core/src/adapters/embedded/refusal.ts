/**
 * Why the embedded database cannot be used. This file has no dependencies: the owner process throws and sends a
 * `Refusal`, and clients turn it into an `EmbeddedError`.
 */

/**
 * `not_a_directory`: the path is a file · `not_writable`: permissions or a read-only disk · `not_private`: it belongs
 * to another user, or others may write to it · `foreign_files`: the place of the database holds something else ·
 * `wrong_version`: another Postgres created it · `damaged`: Postgres cannot read it · `disk_full`: no space to open it
 * · `not_durable`: this runtime does not sync to disk · `busy`: a program that does not share it has it open ·
 * `incompatible_owner`: another version of sov serves it · `unreachable`: no process answers · `old_node`: Node.js is
 * too old.
 */
export const embeddedReasons = [
  "not_a_directory",
  "not_writable",
  "not_private",
  "foreign_files",
  "wrong_version",
  "damaged",
  "disk_full",
  "not_durable",
  "busy",
  "incompatible_owner",
  "unreachable",
  "old_node"
] as const
export type EmbeddedReason = (typeof embeddedReasons)[number]

/** A refusal with its reason; `message` is one line with the path and the next step. */
export class Refusal extends Error {
  override readonly name = "Refusal"
  readonly reason: EmbeddedReason
  constructor(reason: EmbeddedReason, message: string) {
    super(message.replaceAll(/\s+/g, " "))
    this.reason = reason
  }
}

/** The code of a system error (`ENOSPC`, …), "" for anything else. */
export const findErrorCode = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : ""

/** A thrown value as one line. */
export const formatErrorLine = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replaceAll(/\s+/g, " ")
