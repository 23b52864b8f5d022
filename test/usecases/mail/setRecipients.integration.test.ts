/** Who gets alerts and digests is what somebody set, also where two do so at once. */
import { readAuditLog, readRecipients, setRecipients, wholeHistory } from "@sov/core"
import { seedOrganization } from "@sov/core/testing"
import { Effect } from "effect"
import { afterAll, describe, expect, it } from "vitest"
import { address } from "../../contracts/mailStoreContract.ts"
import { serverHomeOrAll } from "../../support/homes.ts"
import { openStorage } from "../../support/storage.ts"

describe.each(serverHomeOrAll)("%s", (home) => {
  const { close, run } = openStorage(home)
  afterAll(close)

  it("the second of two concurrent changes replaces the first, and its entry records the replaced value", () =>
    run(Effect.gen(function*() {
      const [first, ann, bob] = [
        address("first@acme.example"),
        address("ann@acme.example"),
        address("bob@acme.example")
      ]
      for (let round = 0; round < 5; round++) {
        const { id } = yield* seedOrganization()
        yield* setRecipients(id, [first])
        yield* Effect.all([setRecipients(id, [ann]), setRecipients(id, [bob])], { concurrency: 2 })
        const [left, ...more] = (yield* readRecipients(id)).map((one) => one.address)
        expect(more).toEqual([])
        const { entries } = yield* readAuditLog(id, wholeHistory, { action: "recipients.changed" }, { limit: 10 })
        const other = left === ann ? bob : ann
        expect(entries.map(({ detail }) => [detail["before"], detail["addresses"]])).toEqual([
          [[other], [left]],
          [[first], [other]],
          [[], [first]]
        ])
      }
    })))
})
