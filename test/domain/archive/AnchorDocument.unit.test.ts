/** Anchors as documents: what they say, what a time stamp covers, and which lines are refused. */
import { makeAnchor, OrganizationId, parseAnchors, stampedBytes } from "@sov/core"
import { Result } from "effect"
import { expect, it } from "vitest"

const organizationId = OrganizationId.make("01900000-0000-7000-8000-000000000001")
const anchor = makeAnchor(
  organizationId,
  { sequence: 7, hash: Buffer.alloc(32, 0xab), sealedAt: new Date("2026-11-22T09:00:00.000Z") },
  new Date("2026-11-22T10:00:00.000Z")
)
const line = JSON.stringify(anchor)
const stamped = { ...anchor, time_stamp: { tsa: "http://tsa.example/", response: "MAA=" } }
const faults = (text: string) => parseAnchors(text).filter((one) => Result.isFailure(one.anchor)).map((one) => one.line)

it("an anchor names its organization, seal and times", () => {
  expect(line).toBe(
    "{\"sov_anchor\":1,\"organization_id\":\"01900000-0000-7000-8000-000000000001\",\"sequence\":7," +
      `"hash":"${"ab".repeat(32)}","sealed_at":"2026-11-22T09:00:00.000Z","anchored_at":"2026-11-22T10:00:00.000Z"}`
  )
})

it("a time stamp covers every member except itself, in the order of their names", () => {
  const text = Buffer.from(stampedBytes(stamped)).toString("utf8")
  expect(text).toBe(
    `{"anchored_at":"2026-11-22T10:00:00.000Z","hash":"${"ab".repeat(32)}",` +
      "\"organization_id\":\"01900000-0000-7000-8000-000000000001\",\"sealed_at\":\"2026-11-22T09:00:00.000Z\"," +
      "\"sequence\":7,\"sov_anchor\":1}"
  )
})

it("a file has one anchor per line, or one anchor over several lines", () => {
  const read = parseAnchors(`${line}\n\n${JSON.stringify(stamped)}\n`)
  expect(read.map((one) => [one.line, Result.getOrThrow(one.anchor)])).toEqual([[1, anchor], [3, stamped]])
  expect(parseAnchors(JSON.stringify(stamped, undefined, 2))).toEqual([{ line: 1, anchor: Result.succeed(stamped) }])
  expect(parseAnchors("")).toEqual([])
})

it.each([
  ["half a line", line.slice(0, 40)],
  ["another version", line.replace("\"sov_anchor\":1", "\"sov_anchor\":2")],
  ["a member that no release knows", line.replace("{", "{\"note\":\"x\",")],
  ["the sample of a webhook test", line.replace("{", "{\"test\":true,")],
  ["a hash in capital letters", line.replace("abab", "ABAB")],
  ["a number that no seal has", line.replace("\"sequence\":7", "\"sequence\":0")],
  ["a time that no calendar has", line.replace("2026-11-22T10", "2026-11-32T10")],
  ["a time stamp that is not base64", JSON.stringify(stamped).replace("MAA=", "M A")]
])("%s is not an anchor, but the lines beside it are read", (_, bad) => {
  expect(faults(`${line}\n${bad}\n${line}\n`)).toEqual([2])
})
