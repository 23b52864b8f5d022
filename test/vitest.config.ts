import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    include: ["**/*.test.ts"],
    exclude: ["**/node_modules/**", "fixtures/**", "devtools/**"],
    globalSetup: ["support/globalSetup.ts"],
    // Tests start processes, send signals and change their environment: a process each, and few at once, since each may
    // hold an embedded database. Three keep two cores busy.
    pool: "forks",
    maxWorkers: 3,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    teardownTimeout: 40_000
  }
})
