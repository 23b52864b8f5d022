/** When refusals of a platform end a scan there. */
import { type KeywordId, makeRefusals, type PlatformError, type ScanId } from "@sov/core"
import { expect, it } from "vitest"

const scan = "scan" as ScanId
const keyword = (n: number) => `keyword ${n}` as KeywordId
const failWith = (reason: PlatformError["reason"], status: number): PlatformError =>
  ({ reason, status, message: `HTTP ${status}`, excerpt: null }) as PlatformError

it("a single reply is enough if it says that an API or model has ended; a 404 counts only before the first answer", () => {
  const fresh = makeRefusals()
  fresh.record(scan, keyword(1), failWith("ended", 404))
  expect(fresh.giveUpReason(scan)).toMatchObject({ reason: "ended", status: 404 })
  const answered = makeRefusals()
  answered.record(scan, keyword(1), null)
  answered.record(scan, keyword(2), failWith("ended", 404))
  expect(answered.giveUpReason(scan)).toBeNull()
  answered.record(scan, keyword(2), failWith("ended", 410))
  expect(answered.giveUpReason(scan)).toMatchObject({ reason: "ended", status: 410 })
})

it("five different questions refused in a row show that the key or the request is at fault, until one is answered", () => {
  const refusals = makeRefusals()
  const refuse = (n: number) => refusals.record(scan, keyword(n), failWith("auth", 401))
  for (const n of [1, 2, 3, 4, 4]) refuse(n)
  expect(refusals.giveUpReason(scan)).toBeNull()
  refuse(5)
  expect(refusals.giveUpReason(scan)).toMatchObject({ reason: "auth", status: 401 })
  refusals.record(scan, keyword(6), null)
  expect(refusals.giveUpReason(scan)).toBeNull()
})
