/**
 * Which methods work across organizations is declared in two places: for row-level security and in the tenancy
 * contract. Both must agree.
 */
import { methodsAcross } from "@sov/core/postgres"
import { expect, it } from "vitest"
import { table } from "../support/tenancyCalls.ts"

/**
 * Methods of one organization for which the tenancy contract has no case, because they return the organization itself.
 */
const ofOneOrganization = ["OrganizationStore.find", "OrganizationStore.lock"]
/** Methods across organizations that the contract calls for one organization, named in their list argument. */
const askedForOne = [
  "AlertStore.countsOf",
  "DeliveryStore.due",
  "DeliveryStore.record",
  "ScheduleStore.nextOf",
  "ScoreStore.newestOf",
  "UsageStore.spentOnScans"
]
const unscoped = ["Notifications", "Transaction"]

it("only methods without a case in the tenancy contract run across organizations under row-level security", () => {
  const across = Object.entries(table).filter(([port]) => !unscoped.includes(port)).flatMap(([port, methods]) =>
    Object.entries(methods).filter(([, makeCall]) => makeCall === null).map(([method]) => `${port}.${method}`)
  )
  const scoped = Object.entries(methodsAcross).flatMap(([port, methods]) =>
    (methods === "all" ? Object.keys(table[port]!) : methods).map((method) => `${port}.${method}`)
  )
  expect(scoped.toSorted()).toEqual(
    [...across.filter((name) => !ofOneOrganization.includes(name)), ...askedForOne].toSorted()
  )
})
