/** Decides how often a property is tried. */
import { inject } from "vitest"

const share = inject("propertyShare")

/** Returns `runs` with SOV_LONG_TESTS or for a file that was named, and a fraction of it otherwise. */
export const propertyRuns = (runs: number): number => Math.max(1, Math.ceil(runs * share))
