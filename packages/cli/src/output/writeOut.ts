import { Effect } from "effect"
import { visible } from "./visible.ts"

/** Data in the form in which it goes to stdout: unchanged, but escaped for a terminal. */
const forStdout = (data: string | Uint8Array): string | Uint8Array =>
  process.stdout.isTTY ? visible(typeof data === "string" ? data : Buffer.from(data).toString("utf8")) : data

/**
 * Writes data to stdout (see `forStdout`) and waits until the buffer has room, so that a slow reader costs time but no
 * memory.
 */
export const writeOut = (data: string | Uint8Array): Effect.Effect<void> =>
  Effect.callback<void>((resume) => {
    if (process.stdout.write(forStdout(data))) return resume(Effect.void)
    const onDrain = () => resume(Effect.void)
    process.stdout.once("drain", onDrain)
    return Effect.sync(() => process.stdout.off("drain", onDrain))
  })
