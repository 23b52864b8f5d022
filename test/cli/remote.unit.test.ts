/** What the terminal says about each problem that a server answers with. */
import { problemTypes } from "@sov/http/contract"
import { SovProblem, SovUnreachable } from "@sov/http/fetch-client"
import { describe, expect, it } from "vitest"
import { exitCodes } from "../../packages/cli/src/exitCodes.ts"
import { describeProblem } from "../../packages/cli/src/remote/describeProblem.ts"
import { isRemote } from "../../packages/cli/src/tree/isRemote.ts"

const exits: { readonly [type: string]: number } = {
  "/problems/missing-key": exitCodes.auth,
  "/problems/invalid-key": exitCodes.auth,
  "/problems/plan-required": exitCodes.auth,
  "/problems/insufficient-scope": exitCodes.auth,
  "/problems/not-found": exitCodes.notFound,
  "/problems/no-completed-scan": exitCodes.notFound,
  "/problems/scan-quota-exhausted": exitCodes.quota,
  "/problems/budget-exhausted": exitCodes.quota,
  "/problems/rate-limited": exitCodes.quota,
  "/problems/internal": exitCodes.unexpected,
  "/problems/not-implemented": exitCodes.unexpected,
  "/problems/unavailable": exitCodes.unreachable
}

it.each(Object.values(problemTypes))(
  "the problem $type has an exit code and a next step",
  ({ status, title, type }) => {
    const error = describeProblem(new SovProblem({ type, status, title }, undefined))
    expect(error).toMatchObject({ code: type.replace("/problems/", ""), message: title })
    expect(error.exitCode).toBe(exits[type] ?? exitCodes.usage)
    expect(error.hint).toMatch(/\S{3}/)
  }
)

it("an error names the option at fault", () => {
  const errors = [
    { path: ["query", "from"], message: "must be a day" },
    { path: ["body", "keyword_ids", 0], message: "must be a UUID" },
    { path: ["header", "x"], message: "must be given once" }
  ]
  const { message } = describeProblem(
    new SovProblem({ type: "/problems/invalid-request", status: 400, title: "No", errors }, undefined)
  )
  expect(message).toBe("--from must be a day; --keyword must be a UUID; header.x must be given once")
})

it("every response of a server that is not sov becomes one error", () => {
  for (const slug of ["constructor", "__proto__", "toString", ""]) {
    for (const errors of [null, "x", [null], [{}], [{ path: "x" }], [{ path: ["query", "constructor"], message: 1 }]]) {
      const problem = { type: `/problems/${slug}`, status: 400, title: "No", errors: errors as never }
      const error = describeProblem(new SovProblem(problem, undefined))
      expect([error.exitCode, error.hint]).toEqual([exitCodes.usage, expect.stringMatching(/^sov help/)])
      expect(error.message).toMatch(/^(No|query\.constructor 1)$/)
    }
  }
})

it("servers that are not sov, and servers that do not answer, are recognised", () => {
  const other = describeProblem(new SovProblem({ type: "about:blank", status: 200, title: "No" }, undefined))
  expect([other.code, other.exitCode]).toEqual(["no-sov-server", exitCodes.unreachable])
  expect(describeProblem(new SovUnreachable("away")).exitCode).toBe(exitCodes.unreachable)
})

describe("whether a server is asked", () => {
  it.each([
    [undefined, {}, false],
    ["", { url: "env" }, false],
    ["http://h", { url: "env" }, true],
    ["http://h", { url: "env", dataDir: "env" }, true],
    ["http://h", { url: "env", dataDir: "cli" }, false],
    ["http://h", { url: "env", databaseUrlFile: "cli" }, false],
    ["http://h", { url: "cli", dataDir: "cli" }, true]
  ])("a command with the address %s and the sources %o asks a server: %s", (url, sources, remote) => {
    expect(isRemote({ ...url === undefined ? {} : { url }, sources })).toBe(remote)
  })
})
