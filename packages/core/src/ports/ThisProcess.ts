import { Context } from "effect"

/** Identifies this process to others. */
export interface ProcessIdentity {
  readonly host: string
  readonly pid: number
  /** Version of sov. */
  readonly version: string
}

/** The identity of this process. The code that wires the program sets it; otherwise only its pid is known. */
export const ThisProcess = Context.Reference<ProcessIdentity>("@sov/core/ports/ThisProcess", {
  defaultValue: () => ({ host: "unknown", pid: globalThis.process?.pid ?? 0, version: "unknown" })
})
