/**
 * `npm run test:mutations` covers every organization filter; for each filter that no test exposes, the reason is
 * recorded.
 */
import { expect, it } from "vitest"
import { filterSites, listUnmatched } from "../mutations/organizationFilters.ts"
import unshown from "../mutations/unshownFilters.json" with { type: "json" }

it("the mutations try every comparison of organizations in the stores' SQL", () => {
  expect(listUnmatched()).toEqual([])
  expect(filterSites.length).toBeGreaterThan(200)
})

it("every filter has its own name, and each reason names a filter", () => {
  const names = filterSites.map(({ name }) => name)
  expect(names.filter((name, n) => names.indexOf(name) !== n)).toEqual([])
  expect(Object.keys(unshown).filter((name) => !names.includes(name))).toEqual([])
})

it("a filter that no test covers is equivalent, with a reason", () => {
  for (const [name, reason] of Object.entries(unshown)) expect(reason, name).toMatch(/^equivalent: \S/)
})
