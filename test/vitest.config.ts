import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { defineConfig } from "vitest/config"
import { BaseSequencer, type TestSpecification } from "vitest/node"
import { namesFiles } from "./support/namedFiles.ts"

declare module "vitest" {
  export interface ProvidedContext {
    /** Whether everything is run: `npm run test:all`, or a file that was named. */
    readonly testAll: boolean
    /** The part of a property's runs that this run does. */
    readonly propertyShare: number
  }
}

/** What starts processes comes first, then what asks a database, so that no long file is left for the end. */
class SlowFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    const rank = ({ moduleId }: TestSpecification) =>
      /journey|browser|\/embedded\//.test(moduleId) ? 0 : /integration|contract|property/.test(moduleId) ? 1 : 2
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b))
  }
}

const include = ["**/*.test.ts"]
const exclude = ["**/node_modules/**", "fixtures/**", "devtools/**"]

/** Files of pure functions: they need no database, and leave nothing behind that the next one could meet. */
const pure = ["{cli,docs,domain,http,outbound,usecases}/**/*.{unit,property}.test.ts"]

/** Files that change the process they run in, or test what a process holds: each gets a process of its own. */
const alone = ["{chaos,embedded}/**/*.test.ts"]

/** A file that is named on the command line is run whole, whatever it costs. */
const named = namesFiles(process.argv.slice(2))
const testAll = named || process.env["SOV_TEST_ALL"] === "1"
/** A line of a test file that takes it out of `npm test`; it ends with the reason. */
const onlyInAll = /^\/\/ Only in `npm run test:all`: \S/m
/** The same out of `npm run test:all`: what it shows is shown by quicker tests as well, or takes minutes. */
const onlyLong = /^\/\/ Only with SOV_LONG_TESTS: \S/m
const long = named || process.env["SOV_LONG_TESTS"] !== undefined
/**
 * Of the runs of a property, `npm test` does a quarter and `npm run test:all` half: their seeds differ from day to day.
 * SOV_LONG_TESTS does all.
 */
const propertyShare = long ? 1 : testAll ? 0.5 : 0.25
const cwd = import.meta.dirname
const left = globSync(include, { cwd, exclude }).filter((file) => {
  const text = readFileSync(`${cwd}/${file}`, "utf8")
  return (!testAll && onlyInAll.test(text)) || (!long && onlyLong.test(text))
})

export default defineConfig({
  test: {
    provide: { testAll, propertyShare },
    pool: "forks",
    // Processes that tests start from sources keep what Node has compiled, as the launcher lets commands do
    env: { NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"] ?? join(cwd, "../node_modules/.cache/sov") },
    // As an owner process does (adapters/embedded/owner.ts): a database in memory costs half a second of CPU time less
    execArgv: ["--wasm-tiering-budget=2147483647"],
    // Few at once, since each may hold an embedded database. Four keep two cores busy; a fifth ends no earlier.
    maxWorkers: 4,
    sequence: { sequencer: SlowFirst },
    // Three times what the slowest ones take: the limit ends one that hangs, also on a machine that is busy otherwise
    testTimeout: long ? 600_000 : 300_000,
    hookTimeout: long ? 600_000 : 300_000,
    teardownTimeout: 40_000,
    // By default it gives up after a second
    expect: { poll: { timeout: 120_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: "pure",
          testTimeout: 120_000,
          include: pure,
          exclude: [...exclude, ...left],
          benchmark: { include: [] },
          isolate: false
        }
      },
      {
        extends: true,
        test: {
          name: "shared",
          include,
          exclude: [...exclude, ...left, ...pure, ...alone],
          // Files that one worker runs share its modules, the compiled engine of the embedded database and the process
          // of their commands, which cost each file two seconds of the processor
          isolate: false,
          benchmark: { include: [] },
          globalSetup: ["support/globalSetup.ts"]
        }
      },
      {
        extends: true,
        test: {
          name: "alone",
          include: alone,
          exclude: [...exclude, ...left, ...pure],
          globalSetup: ["support/globalSetup.ts"]
        }
      }
    ]
  }
})
