/** PlatformLabels are the names that the operator gives to platforms: people see them beside the identifiers. */
import { Context } from "effect"
import type { PlatformId } from "../domain/platforms/Platform.ts"

/** The labels by platform; empty without a configuration. */
export const PlatformLabels = Context.Reference<ReadonlyMap<PlatformId, string>>(
  "@sov/core/ports/PlatformLabels",
  { defaultValue: () => new Map() }
)
