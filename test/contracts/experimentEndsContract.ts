import { ExperimentEnds, ExperimentId, type OrganizationId, Transaction } from "@sov/core"
import { at, newId, seedOrganization } from "@sov/core/testing"
import { Effect } from "effect"
import assert from "node:assert/strict"
import { storeContract } from "./storeContract.ts"

/** An end that is stored. */
export const seedEnd = Effect.fnUntraced(function*(organizationId: OrganizationId) {
  yield* (yield* ExperimentEnds).insert(organizationId, yield* newId(ExperimentId), at(1000))
})

/** What every ExperimentEnds must keep. */
export const experimentEndsContract = storeContract("ExperimentEnds", {
  "names what is due until a time, and one of several callers takes it": Effect.fnUntraced(function*() {
    const store = yield* ExperimentEnds
    const { run } = yield* Transaction
    const [{ id }, other] = [yield* seedOrganization(), yield* seedOrganization()]
    const experimentId = yield* newId(ExperimentId)
    // The database is one for all tests: far from the times of the others
    const century = (seconds: number) => new Date(at(seconds).getTime() - 100 * 365 * 86_400_000)
    yield* store.insert(id, experimentId, century(60))
    yield* store.insert(other.id, experimentId, century(90))
    assert.equal((yield* Effect.flip(store.insert(id, experimentId, century(70)))).reason, "constraint")
    const due = (seconds: number) => Effect.map(store.listDue(century(seconds)), (all) => all.map((one) => one.dueAt))
    assert.deepEqual(yield* due(59), [])
    assert.deepEqual(yield* store.listDue(century(60)), [{ organizationId: id, experimentId, dueAt: century(60) }])
    assert.deepEqual(yield* due(90), [century(60), century(90)])
    yield* Effect.ignore(run(Effect.andThen(store.take(id, experimentId), Effect.fail("rolled back"))))
    const taken = yield* Effect.all(Array.from({ length: 4 }, () => run(store.take(id, experimentId))), {
      concurrency: "unbounded"
    })
    assert.equal(taken.filter(Boolean).length, 1)
    assert.deepEqual(yield* due(90), [century(90)])
    assert.equal(yield* store.take(other.id, experimentId), true)
  })
})
