/** The kinds of database ("homes") that this run covers. Suites of stores run once for each home. */
import { inject } from "vitest"

export type Home = "embedded" | "postgres"

/** A superuser's URL of the real server; null if this run has no server. */
export const postgresUrl = inject("postgresUrl")

export const homes: ReadonlyArray<Home> = [
  ...inject("testHomes") === "postgres" ? [] : ["embedded" as const],
  ...postgresUrl === null ? [] : ["postgres" as const]
]

const isLong = process.env["SOV_LONG_TESTS"] !== undefined

/** The first home, for expensive tests of what a laptop user meets first. */
const firstHome = homes.slice(0, 1)
/** The real server if available, which needs less CPU time than the embedded database. */
const serverHome = homes.slice(-1)

/** Only one home, for tests that do not depend on the database: the server's, or the first with SOV_LONG_TESTS. */
export const oneHome = isLong ? firstHome : serverHome

/**
 * The first home, or all homes with `npm run test:all`: for journeys, because the stores that they use are tested on
 * each home.
 */
export const journeyHomes = inject("testAll") ? homes : firstHome

/**
 * For tests that build on stores that are tested on each home: the real server if available; all homes with
 * SOV_LONG_TESTS.
 */
export const serverHomeOrAll = isLong ? homes : serverHome

/** The first home, or all homes with SOV_LONG_TESTS: for expensive tests of what a laptop user meets first. */
export const oneHomeOrAll = isLong ? homes : firstHome
