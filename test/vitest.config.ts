import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    include: ["**/*.test.ts"],
    exclude: ["**/node_modules/**", "fixtures/**", "devtools/**"],
    globalSetup: ["support/globalSetup.ts"],
    // Tests start processes, send signals and change their environment: a process each, and no more than two at once,
    // since each may hold an embedded database.
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    teardownTimeout: 40_000
  }
})
