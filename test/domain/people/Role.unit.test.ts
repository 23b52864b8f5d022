import { atLeast, Role } from "@sov/core"
import { expect, it } from "vitest"

it("an owner has all rights of a member, and a member all rights of a viewer", () => {
  const may = Role.literals.map((role) => [role, Role.literals.filter((least) => atLeast(role, least))])
  expect(may).toEqual([
    ["owner", ["owner", "member", "viewer"]],
    ["member", ["member", "viewer"]],
    ["viewer", ["viewer"]]
  ])
})
