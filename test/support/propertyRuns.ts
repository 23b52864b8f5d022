/** Decides how often a property is tried. */
import { inject } from "vitest"

const share = inject("propertyShare")

/** Returns `runs` with `npm run test:all`, and a fraction of it with `npm test`. */
export const propertyRuns = (runs: number): number => Math.max(1, Math.ceil(runs * share))
