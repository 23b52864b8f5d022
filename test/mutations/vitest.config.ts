/** Configuration of `npm run test:mutations`: the stores are loaded with their organization filters marked. */
import { defineConfig } from "vitest/config"
import { markFilters } from "./organizationFilters.ts"

export default defineConfig({
  plugins: [{ name: "mark-organization-filters", enforce: "pre", transform: (code, id) => markFilters(id, code) }],
  test: {
    // A mark is a number over all filters, so a cached file would have wrong numbers after other files changed
    fsModuleCache: false,
    provide: { testAll: true },
    pool: "forks",
    include: ["mutations/*.mutation.ts"],
    globalSetup: ["support/globalSetup.ts"],
    testTimeout: 1_800_000,
    hookTimeout: 120_000
  }
})
