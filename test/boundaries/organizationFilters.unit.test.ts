/**
 * `npm run test:mutations` covers every organization filter; for each filter that no test exposes, the reason is
 * recorded.
 */
import { expect, it } from "vitest"
import { filterSites, listUnmatched } from "../mutations/organizationFilters.ts"
import unshown from "../mutations/unshownFilters.json" with { type: "json" }

it("the mutation test tries every comparison with an organization in the stores' SQL", () => {
  expect(listUnmatched()).toEqual([])
  expect(filterSites.length).toBeGreaterThan(200)
})

it("every organization filter has a unique name, and each recorded reason refers to an existing filter", () => {
  const names = filterSites.map(({ name }) => name)
  expect(names.filter((name, n) => names.indexOf(name) !== n)).toEqual([])
  expect(Object.keys(unshown).filter((name) => !names.includes(name))).toEqual([])
})

it("each filter that no test exposes has a recorded reason", () => {
  for (const [name, reason] of Object.entries(unshown)) expect(reason, name).toMatch(/^equivalent: \S/)
})
