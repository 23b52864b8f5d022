import { type Anchor, parseAnchor } from "@sov/core/archive"
import { Effect } from "effect"
import { type CliError, usageError } from "../CliError.ts"

/** Reads the seal of option `--head`; null without the option. */
export const headOption = (text: string | undefined): Effect.Effect<Anchor | null, CliError> => {
  if (text === undefined) return Effect.succeed(null)
  const anchor = parseAnchor(text)
  return anchor === null
    ? Effect.fail(usageError("--head is a number, a colon and 64 hex digits", "sov archive head prints one"))
    : Effect.succeed(anchor)
}
