import { Context } from "effect"

/** Who runs this program, as others should see it. */
export interface ProcessIdentity {
  readonly host: string
  readonly pid: number
  /** Version of sov. */
  readonly version: string
}

/** The identity of this process. Who wires the program sets it; an embedder that does not is known by its pid alone. */
export const ThisProcess = Context.Reference<ProcessIdentity>("@sov/core/ports/ThisProcess", {
  defaultValue: () => ({ host: "unknown", pid: globalThis.process?.pid ?? 0, version: "unknown" })
})
