/** The doctor's check of the role that sov is connected as. */
import { Effect } from "effect"
import { expect, it } from "vitest"
import type { CheckContext } from "../../packages/cli/src/commands/doctor/checks/Check.ts"
import { diagnoseRole, role } from "../../packages/cli/src/commands/doctor/checks/database.ts"

it("warns a program that owns the archive, and names the next command", () => {
  expect(diagnoseRole({ name: "sov", ownsArchive: true, rowSecurity: "off" })).toEqual({
    status: "warn",
    message: expect.stringContaining("the role sov owns the archive"),
    fix: expect.stringContaining("sov db roles --apply")
  })
  expect(diagnoseRole({ name: "sov_api", ownsArchive: false, rowSecurity: "off" })).toMatchObject({ status: "ok" })
})

it.each(
  [
    ["organization", "one organization at a time"],
    ["every", "every organization"],
    ["off", "is off"]
  ] as const
)("says of row-level security that it is %s", (rowSecurity, text) => {
  const { message } = diagnoseRole({ name: "sov_api", ownsArchive: false, rowSecurity })
  expect(message).toContain(`row-level security`)
  expect(message).toContain(text)
})

it("has nothing to check on the embedded database, which has one user", async () => {
  const at = { home: { kind: "embedded" } } as CheckContext
  expect(await Effect.runPromise(role.run(at))).toMatchObject({ status: "skipped" })
})
