/** How often a property is tried. */
import { inject } from "vitest"

const share = inject("propertyShare")

/** That many runs with `npm run test:all`, and a share of them with `npm test`. */
export const propertyRuns = (runs: number): number => Math.max(1, Math.ceil(runs * share))
