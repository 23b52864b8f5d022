import { globSync, readFileSync } from "node:fs"
import { defineConfig } from "vitest/config"
import { BaseSequencer, type TestSpecification } from "vitest/node"

declare module "vitest" {
  export interface ProvidedContext {
    /** Whether everything is run: `npm run test:all`, or a file that was named. */
    readonly testAll: boolean
  }
}

/** What starts processes comes first, then what asks a database, so that no long file is left for the end. */
class SlowFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    const rank = ({ moduleId }: TestSpecification) =>
      /journey|\/embedded\//.test(moduleId) ? 0 : /integration|contract|property/.test(moduleId) ? 1 : 2
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b))
  }
}

const include = ["**/*.test.ts"]
const exclude = ["**/node_modules/**", "fixtures/**", "devtools/**"]

/** Files of pure functions: they need no database, and leave nothing behind that the next one could meet. */
const pure = ["{cli,docs,domain,http,outbound,usecases}/**/*.{unit,property}.test.ts"]

/** `npm test -- cli/output`: what somebody names is run whole, whatever it costs. */
const named = process.argv.slice(process.argv.indexOf("test") + 1).some((argument) => !argument.startsWith("-"))
const testAll = named || process.env["SOV_TEST_ALL"] === "1"

/** A line of a test file that takes it out of `npm test`; it ends with the reason. */
const onlyInAll = /^\/\/ Only in `npm run test:all`: \S/m
const cwd = import.meta.dirname
const left = testAll
  ? []
  : globSync(include, { cwd, exclude }).filter((file) => onlyInAll.test(readFileSync(`${cwd}/${file}`, "utf8")))

export default defineConfig({
  test: {
    provide: { testAll },
    pool: "forks",
    // Few at once, since each may hold an embedded database. Four keep two cores busy.
    maxWorkers: 4,
    sequence: { sequencer: SlowFirst },
    testTimeout: 120_000,
    hookTimeout: 120_000,
    teardownTimeout: 40_000,
    projects: [
      {
        extends: true,
        test: {
          name: "pure",
          include: pure,
          exclude: [...exclude, ...left],
          benchmark: { include: [] },
          isolate: false
        }
      },
      {
        extends: true,
        test: {
          name: "databases",
          include,
          // They start processes, send signals and change their environment: a process each
          exclude: [...exclude, ...left, ...pure],
          globalSetup: ["support/globalSetup.ts"]
        }
      }
    ]
  }
})
