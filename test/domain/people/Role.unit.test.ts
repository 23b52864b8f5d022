import { atLeast, Role } from "@sov/core"
import { expect, it } from "vitest"

it("an owner may do what a member may, and a member what a viewer may", () => {
  const may = Role.literals.map((role) => [role, Role.literals.filter((least) => atLeast(role, least))])
  expect(may).toEqual([
    ["owner", ["owner", "member", "viewer"]],
    ["member", ["member", "viewer"]],
    ["viewer", ["viewer"]]
  ])
})
