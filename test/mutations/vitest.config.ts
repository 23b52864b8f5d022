/** `npm run test:mutations`: the stores are loaded with their organization filters marked. */
import { defineConfig } from "vitest/config"
import { markFilters } from "./organizationFilters.ts"

export default defineConfig({
  plugins: [{ name: "mark-organization-filters", enforce: "pre", transform: (code, id) => markFilters(id, code) }],
  test: {
    // A mark is a number among all filters: a file that was transformed before others changed has other ones
    fsModuleCache: false,
    provide: { testAll: true },
    pool: "forks",
    include: ["mutations/*.mutation.ts"],
    globalSetup: ["support/globalSetup.ts"],
    testTimeout: 1_800_000,
    hookTimeout: 120_000
  }
})
