/** `npm run test:mutations` tries every organization filter, and says of those that nothing shows why. */
import { expect, it } from "vitest"
import { filterSites, listUnmatched } from "../mutations/organizationFilters.ts"
import unshown from "../mutations/unshownFilters.json" with { type: "json" }

it("every comparison of organizations in the stores' SQL is tried by the mutations", () => {
  expect(listUnmatched()).toEqual([])
  expect(filterSites.length).toBeGreaterThan(200)
})

it("every filter has a name of its own, and a reason names a filter", () => {
  const names = filterSites.map(({ name }) => name)
  expect(names.filter((name, n) => names.indexOf(name) !== n)).toEqual([])
  expect(Object.keys(unshown).filter((name) => !names.includes(name))).toEqual([])
})

it("a filter that nothing shows is equivalent, and says why", () => {
  for (const [name, reason] of Object.entries(unshown)) expect(reason, name).toMatch(/^equivalent: \S/)
})
