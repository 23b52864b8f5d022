/** The doctor's checks of the role that sov is connected as, and of the connection. */
import { Effect } from "effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import type { CheckContext } from "../../packages/cli/src/commands/doctor/checks/Check.ts"
import {
  diagnoseRole,
  diagnoseTls,
  readServerRoleName,
  role,
  tls
} from "../../packages/cli/src/commands/doctor/checks/database.ts"
import { workspace } from "../support/sov.ts"

it("the check warns a program that owns the archive, and shows the next command", () => {
  expect(diagnoseRole({ name: "sov", ownsArchive: true, rowSecurity: "off" })).toEqual({
    status: "warn",
    message: expect.stringContaining("the role sov owns the archive"),
    fix: expect.stringContaining("sov db roles --apply")
  })
  expect(diagnoseRole({ name: "sov_api", ownsArchive: false, rowSecurity: "off" })).toMatchObject({ status: "ok" })
})

it("the operator may own the archive only if the server's credentials name another role", () => {
  const owner = { name: "sov_owner", ownsArchive: true, rowSecurity: "off" } as const
  const roleOf = (url: string) => {
    const CREDENTIALS_DIRECTORY = workspace()
    writeFileSync(join(CREDENTIALS_DIRECTORY, "SOV_DATABASE_URL"), url)
    return readServerRoleName({ CREDENTIALS_DIRECTORY })
  }
  const found = diagnoseRole(owner, roleOf("postgres://sov_api:secret@127.0.0.1/sov\n"))
  expect(found).toMatchObject({ status: "ok", message: expect.stringContaining("the server connects as sov_api") })
  expect(found.message).not.toContain("secret")
  for (
    const role of [roleOf("postgres://sov_owner:x@127.0.0.1/sov"), roleOf("postgres://127.0.0.1/sov"), roleOf("x")]
  ) {
    expect(diagnoseRole(owner, role)).toMatchObject({ status: "warn" })
  }
  expect(diagnoseRole(owner, readServerRoleName({}))).toMatchObject({ status: "warn" })
})

it.each(
  [
    ["organization", "one organization at a time"],
    ["every", "every organization"],
    ["off", "is off"]
  ] as const
)("the check reports row-level security as %s", (rowSecurity, text) => {
  const { message } = diagnoseRole({ name: "sov_api", ownsArchive: false, rowSecurity })
  expect(message).toContain(`row-level security`)
  expect(message).toContain(text)
})

it.each(
  [
    ["disable", true, null, "ok", "on this machine"],
    ["disable", false, null, "warn", "can read password and answers"],
    // A pooler may have TLS to the server where we have none to the pooler
    ["disable", false, "TLSv1.3", "warn", "can read password and answers"],
    ["require", false, "TLSv1.3", "warn", "checks no certificate"],
    ["verify-ca", false, "TLSv1.3", "ok", "sslrootcert"],
    ["verify-full", false, "TLSv1.2", "ok", "TLSv1.2, and the certificate proves"],
    ["verify-full", false, null, "warn", "without TLS"],
    ["require", false, null, "warn", "without TLS"]
  ] as const
)(
  "the connection with sslmode=%s, on this machine %s, and %s of the server has the TLS status: %s",
  (mode, isThisMachine, version, status, text) => {
    const found = diagnoseTls({ mode, isThisMachine, version })
    expect(found).toMatchObject({ status, message: expect.stringContaining(text) })
    expect("fix" in found).toBe(status === "warn")
  }
)

it("the check examines nothing on the embedded database, which has one user and no connection", async () => {
  const at = { home: { kind: "embedded" } } as CheckContext
  expect(await Effect.runPromise(role.run(at))).toMatchObject({ status: "skipped" })
  expect(await Effect.runPromise(tls.run(at))).toMatchObject({ status: "skipped" })
})
