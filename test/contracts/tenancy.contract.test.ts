/**
 * Every method of every store, called for one organization with another one's ids: it gets nothing and changes nothing.
 * The methods are read off the services themselves: one that the table does not know fails the suite.
 */
import { StoreError } from "@sov/core"
import { seedOrganization, type Stores } from "@sov/core/testing"
import { Effect } from "effect"
import { afterAll, describe, expect, it } from "vitest"
import { homes } from "../support/homes.ts"
import { readOrganizationRows, uuidsIn } from "../support/organizationRows.ts"
import { openStorage, storeRole } from "../support/storage.ts"
import { ports, table } from "../support/tenancyCalls.ts"
import { type Tenants, tenants } from "../support/tenants.ts"

type AnyMethod = (...args: ReadonlyArray<unknown>) => Effect.Effect<unknown, unknown>

/** A service with its methods by name. */
const serviceOf = (port: keyof typeof ports) =>
  ports[port] as unknown as Effect.Effect<Record<string, AnyMethod>, never, Stores>

// A worker's role makes no members and keys, which the organizations here have
describe.skipIf(storeRole === "worker").each(homes)("tenancy on the %s home", (home) => {
  const storage = openStorage(home, storeRole)
  afterAll(storage.close)
  /** What A has. A call that changes any of it fails its test, and the next one gets another A. */
  let whole: Tenants["a"] | undefined
  const takeTenants = Effect.gen(function*() {
    const found = whole === undefined ? yield* tenants : { a: whole, b: (yield* seedOrganization()).id }
    whole = undefined
    return found
  })

  describe.each(Object.keys(ports) as Array<keyof typeof ports>)("%s", (port) => {
    it("the table of calls lists exactly the methods of the service", async () => {
      const service = await storage.run(serviceOf(port))
      expect(Object.keys(table[port] ?? {}).toSorted()).toEqual(Object.keys(service).toSorted())
    })

    const cases = Object.entries(table[port] ?? {}).flatMap(([method, make]) => make === null ? [] : [{ method, make }])
    it.each(cases)(
      "$method neither returns nor changes data of another organization",
      ({ make, method }) =>
        storage.run(Effect.gen(function*() {
          const found = yield* takeTenants
          const before = yield* readOrganizationRows(found.a.organizationId)
          for (const [name, rows] of Object.entries(before.tables)) {
            expect(rows, `A has rows in ${name}`).not.toEqual([])
          }

          const [given, expected] = make(found)
          const args = Effect.isEffect(given) ? yield* given : given
          const service = yield* serviceOf(port)
          const result = yield* Effect.result(service[method]!(...args))

          expect(yield* readOrganizationRows(found.a.organizationId)).toEqual(before)
          if (expected === "refused") {
            expect(result._tag).toBe("Failure")
            expect(result._tag === "Failure" && result.failure).toMatchObject({
              _tag: "StoreError",
              reason: "constraint"
            })
            expect(result._tag === "Failure" && result.failure).toBeInstanceOf(StoreError)
            whole = found.a
            return
          }
          expect(result._tag).toBe("Success")
          const value = result._tag === "Success" ? result.success : undefined
          if (expected !== "own") expect(value).toEqual(expected)
          const theirs = uuidsIn(before)
          for (const id of uuidsIn(value ?? null)) expect(theirs).not.toContain(id)
          whole = found.a
        }))
    )
  })
})
