/** PlatformLabels are the operator's names for platforms, shown to people beside the identifiers. */
import { Context } from "effect"
import type { PlatformId } from "../domain/platforms/Platform.ts"

/** The labels by platform; empty without a configuration. */
export const PlatformLabels = Context.Reference<ReadonlyMap<PlatformId, string>>(
  "@sov/core/ports/PlatformLabels",
  { defaultValue: () => new Map() }
)
