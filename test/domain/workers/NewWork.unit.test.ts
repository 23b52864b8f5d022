import { concerns, formatNewWork, type NewWork, OrganizationId, parseNewWork, ScanId } from "@sov/core"
import { expect, it } from "vitest"

const organizationId = OrganizationId.make("01900000-0000-7000-8000-000000000001")
const scanId = ScanId.make("01900000-0000-7000-8000-000000000002")
const all: ReadonlyArray<NewWork> = [
  { of: "scan", organizationId, scanId },
  { of: "deliveries", organizationId },
  { of: "mail" },
  { of: "schedules" },
  { of: "any" }
]

it("a notification is the same after encoding and decoding", () => {
  expect(all.map((work) => parseNewWork(formatNewWork(work)))).toEqual(all)
  expect(all.map(formatNewWork)).toEqual([
    `scan ${organizationId} ${scanId}`,
    `deliveries ${organizationId}`,
    "mail",
    "schedules",
    ""
  ])
})

it("an unknown notification counts as any work, so that no worker misses it", () => {
  const strange = ["test 1", "scan", `scan ${organizationId}`, `deliveries ${organizationId} ${scanId}`, "scan x y"]
  for (const payload of [...strange, `scan ${organizationId} ${scanId} `, "mail\n", "MAIL"]) {
    expect(parseNewWork(payload), payload).toEqual({ of: "any" })
  }
})

it("work of one kind wakes only its own workers, and any work wakes all", () => {
  const kinds = ["scan", "deliveries", "mail", "schedules"] as const
  expect(all.map((work) => kinds.filter((kind) => concerns(work, kind)))).toEqual([
    ["scan"],
    ["deliveries"],
    ["mail"],
    ["schedules"],
    kinds
  ])
})
