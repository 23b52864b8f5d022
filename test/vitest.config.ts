import { defineConfig } from "vitest/config"
import { BaseSequencer, type TestSpecification } from "vitest/node"

/** What starts processes comes first, then what asks a database, so that no long file is left for the end. */
class SlowFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    const rank = ({ moduleId }: TestSpecification) =>
      /journey|\/embedded\//.test(moduleId) ? 0 : /integration|contract|property/.test(moduleId) ? 1 : 2
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b))
  }
}

export default defineConfig({
  test: {
    include: ["**/*.test.ts"],
    exclude: ["**/node_modules/**", "fixtures/**", "devtools/**"],
    globalSetup: ["support/globalSetup.ts"],
    // Tests start processes, send signals and change their environment: a process each, and few at once, since each may
    // hold an embedded database. Four keep two cores busy.
    pool: "forks",
    maxWorkers: 4,
    sequence: { sequencer: SlowFirst },
    testTimeout: 60_000,
    hookTimeout: 60_000,
    teardownTimeout: 40_000
  }
})
