/** The homes of the database that this run covers. Suites of a store run once for each. */
import { inject } from "vitest"

export type Home = "embedded" | "postgres"

/** A superuser's URL of the real server; null when this run has none. */
export const postgresUrl = inject("postgresUrl")

export const homes: ReadonlyArray<Home> = [
  ...inject("testHomes") === "postgres" ? [] : ["embedded" as const],
  ...postgresUrl === null ? [] : ["postgres" as const]
]

/** The first of them, for what costs a lot and does not depend on the database. */
export const oneHome = homes.slice(0, 1)

/** The first of them, and all with `npm run test:all`: for journeys, whose stores hold their contracts on each home. */
export const journeyHomes = inject("testAll") ? homes : oneHome

/**
 * For what rests on stores whose contracts hold on each home: the real server where there is one; all with
 * SOV_LONG_TESTS.
 */
export const serverHomeOrAll = process.env["SOV_LONG_TESTS"] === undefined ? homes.slice(-1) : homes

/** The first of them, and all with SOV_LONG_TESTS: for what a laptop meets first, and costs a lot. */
export const oneHomeOrAll = process.env["SOV_LONG_TESTS"] === undefined ? oneHome : homes
