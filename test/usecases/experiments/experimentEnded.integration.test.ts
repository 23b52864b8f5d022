/** Event `experiment.ended`: once for each experiment, with its result or its reason. */
import {
  announceExperiments,
  cancelScan,
  EventOutbox,
  experimentDetailJson,
  type KeywordId,
  KeywordStore,
  type OrganizationId,
  readExperiment,
  stopExperiment
} from "@sov/core"
import { addScan, at } from "@sov/core/testing"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { afterAll, describe, expect, it } from "vitest"
import { seedEndpoint } from "../../contracts/webhookSeeds.ts"
import { atTime, day, plan, planOptions, scanAt, seedTopics, usual } from "../../support/experiments.ts"
import { serverHomeOrAll } from "../../support/homes.ts"
import { openStorage } from "../../support/storage.ts"

interface Body {
  readonly event: string
  readonly timestamp: string
  readonly data: { readonly experiment_id: string }
}

/** The bodies that an endpoint of the organization gets. */
const received = Effect.fnUntraced(function*(id: OrganizationId) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ readonly body: Uint8Array }>`
    select event.body from webhook_delivery join event on event.organization_id = webhook_delivery.organization_id
      and event.id = webhook_delivery.event_id
    where webhook_delivery.organization_id = ${id} order by event.created_at`
  return rows.map(({ body }) => JSON.parse(Buffer.from(body).toString("utf8")) as Body)
})

const seed = Effect.gen(function*() {
  const organizationId = yield* seedTopics(18)
  yield* seedEndpoint(organizationId, { events: ["experiment.ended"] })
  return { organizationId, id: yield* plan(organizationId) }
})

const announceAt = (seconds: number) => atTime(seconds, announceExperiments())

describe.each(serverHomeOrAll)("experiment.ended on the %s home", (home) => {
  const storage = openStorage(home)
  afterAll(storage.close)

  it("several workers send one event with the result, after the last day and not before", () =>
    storage.run(Effect.gen(function*() {
      const { id, organizationId } = yield* seed
      const treated = new Set((yield* readExperiment(organizationId, id)).plan.pairs.flatMap((pair) => pair.treated))
      const names = (keyword: KeywordId, n: number) => treated.has(keyword) || usual(keyword, n)
      for (const seconds of [30, 36, 42]) yield* scanAt(organizationId, seconds * day, names)
      yield* announceAt(48 * day + 1)
      expect(yield* received(organizationId)).toEqual([])
      yield* Effect.all(Array.from({ length: 4 }, () => announceAt(48 * day + 3)), { concurrency: "unbounded" })
      yield* announceAt(60 * day)
      const shown = experimentDetailJson(yield* atTime(60 * day, readExperiment(organizationId, id)))
      const { change, effect, interval, name, seal, sentence, verdict } = shown
      expect(verdict).toBe("rise")
      expect(yield* received(organizationId)).toEqual([{
        event: "experiment.ended",
        organization_id: organizationId,
        timestamp: expect.stringMatching(/^2026-03-21T/),
        data: {
          experiment_id: id,
          name,
          change,
          from: planOptions.from,
          until: planOptions.until,
          seal,
          verdict,
          sentence,
          effect,
          interval,
          stopped: null
        }
      }])
    })))

  it("an early end sends the event at once with its reason, and nothing follows at the end", () =>
    storage.run(Effect.gen(function*() {
      const { id, organizationId } = yield* seed
      const stop = atTime(35 * day, stopExperiment(organizationId, id, "withdrawn"))
      yield* Effect.all([stop, stop, stop], { concurrency: "unbounded" })
      yield* announceAt(60 * day)
      expect(yield* received(organizationId)).toMatchObject([{
        data: {
          experiment_id: id,
          verdict: null,
          effect: null,
          interval: null,
          sentence: "Ended early without a result: withdrawn",
          stopped: { reason: "withdrawn", at: expect.any(String) }
        }
      }])
    })))

  it("a worker that dies before its transaction commits leaves the event to another worker, which sends it once", () =>
    storage.run(Effect.gen(function*() {
      const { id, organizationId } = yield* seed
      const dying = Effect.map(
        EventOutbox,
        (outbox) => EventOutbox.of({ put: (...event) => Effect.andThen(outbox.put(...event), Effect.die("killed")) })
      )
      yield* Effect.provideServiceEffect(announceAt(60 * day), EventOutbox, dying)
      expect(yield* received(organizationId)).toEqual([])
      yield* announceAt(60 * day)
      yield* announceAt(61 * day)
      expect((yield* received(organizationId)).map(({ data }) => data.experiment_id)).toEqual([id])
    })))

  it("a scan that began by the last day and is still running delays the result and the event", () =>
    storage.run(Effect.gen(function*() {
      const { id, organizationId } = yield* seed
      yield* scanAt(organizationId, 30 * day, usual)
      const asked = yield* (yield* KeywordStore).list(organizationId, ["active"])
      const { scan } = yield* addScan(organizationId, asked, { startedAt: at(48 * day) })
      const state = Effect.map(atTime(60 * day, readExperiment(organizationId, id)), (one) => [one.state, one.result])
      expect(yield* state).toEqual(["running", null])
      yield* announceAt(60 * day)
      expect(yield* received(organizationId)).toEqual([])
      yield* cancelScan(organizationId, scan.id)
      yield* announceAt(60 * day)
      expect((yield* state)[0]).toBe("ended")
      expect(yield* received(organizationId)).toHaveLength(1)
    })))
})
