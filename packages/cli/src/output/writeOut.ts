import { Effect } from "effect"

/** Writes to stdout and waits until there is room again, so that a slow reader costs time and not memory. */
export const writeOut = (data: string | Uint8Array): Effect.Effect<void> =>
  Effect.callback<void>((resume) => {
    if (process.stdout.write(data)) return resume(Effect.void)
    const onDrain = () => resume(Effect.void)
    process.stdout.once("drain", onDrain)
    return Effect.sync(() => process.stdout.off("drain", onDrain))
  })
