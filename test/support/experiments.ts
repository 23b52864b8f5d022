/** Creates organizations with enough topics for an experiment, with scans and a plan. */
import {
  addKeywords,
  ExperimentId,
  type ExperimentPlan,
  type KeywordId,
  KeywordStore,
  makeSeal,
  type OrganizationId,
  SealStore,
  shiftedClock,
  startExperiment,
  TrackedSetStore
} from "@sov/core"
import { at, newId, seedOrganization, trackedSet } from "@sov/core/testing"
import { Clock, Effect } from "effect"
import { scanWith } from "./completedScans.ts"

const things = [
  "anvil",
  "bicycle",
  "camera",
  "drill",
  "espresso",
  "freezer",
  "guitar",
  "helmet",
  "insurance",
  "jacket",
  "kettle",
  "ladder",
  "mattress",
  "notebook",
  "oven",
  "piano",
  "quilt",
  "router"
]
export const day = 86_400
/** Times refer to at(0), which is 31 January 2026, 23:59:58. */
export const planOptions = {
  name: "Guides",
  change: "a guide for each treated topic",
  from: "2026-03-01",
  until: "2026-03-20",
  keywordIds: null,
  scansAfter: 3
}
/** The day before the change, in milliseconds. */
export const started = 27 * day

export const atTime = <A, E, R>(seconds: number, effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function*() {
    const clock = yield* Clock.Clock
    const then = shiftedClock(clock, at(seconds).getTime() - (yield* clock.currentTimeMillis))
    return yield* Effect.provideService(effect, Clock.Clock, then)
  })

/** Adds a brand to an organization, and questions that each have their own topic. */
export const addTopics = Effect.fnUntraced(function*(id: OrganizationId, count: number) {
  const sets = yield* TrackedSetStore
  if ((yield* sets.current(id)) === null) yield* sets.append(id, yield* trackedSet())
  yield* addKeywords(id, things.slice(0, count).map((one) => `${one}?`))
})

export const seedTopics = (count: number) =>
  Effect.gen(function*() {
    const { id } = yield* seedOrganization()
    yield* addTopics(id, count)
    return id
  })

/** Adds a completed scan; `names` decides whether the answer to a keyword names the brand. */
export const scanAt = Effect.fnUntraced(function*(
  id: OrganizationId,
  seconds: number,
  names: (keyword: KeywordId, n: number) => boolean,
  model?: string
) {
  const asked = yield* (yield* KeywordStore).list(id, ["active"])
  const byPrompt = asked.map(({ id, text }) => ({ id, n: things.indexOf(text.slice(0, -1)) }))
  let next = 0
  // Cells are answered platform by platform
  const order = [...byPrompt, ...byPrompt]
  yield* atTime(
    seconds + 1,
    scanWith(id, seconds, () => {
      const one = order[next++ % order.length]!
      return names(one.id, one.n) ? "Acme Forge is the best." : "It depends."
    }, model === undefined ? {} : { model })
  )
})

/** Answers that name the brand for every third topic. */
export const usual = (_: KeywordId, n: number) => n % 3 === 0

/** Creates four scans and seals the plan. */
export const plan = Effect.fnUntraced(function*(id: OrganizationId) {
  for (const [i, seconds] of [5, 12, 19, 26].entries()) {
    yield* scanAt(id, seconds * day, (keyword, n) => usual(keyword, n) || (n + i) % 7 === 0)
  }
  return yield* atTime(started, startExperiment(id, planOptions))
})

/**
 * Seals a plan without drawing halves: every question except the last is paired with its neighbour, so that even few
 * questions have a result. Sealed on the day before the change by default. Requires a completed scan.
 */
export const sealPlan = Effect.fnUntraced(
  function*(
    id: OrganizationId,
    { sealedAt, ...fields }:
      & Partial<ExperimentPlan & { readonly sealedAt: Date }>
      & Pick<ExperimentPlan, "from" | "name" | "until">
  ) {
    const seals = yield* SealStore
    const keywords = (yield* (yield* KeywordStore).list(id, ["active"])).map((one) => one.id)
    const head = (yield* seals.head(id))!
    const { measure_version, tracked_set, tracked_set_sha256 } = head.facts!
    const experiment: ExperimentPlan = {
      id: yield* newId(ExperimentId),
      change: "a guide for each treated topic",
      seed: "0badcafe",
      pairs: keywords.slice(1).map((one, i) => ({ treated: [keywords[i]!], held_out: [one] })),
      scans_before: 2,
      scans_after: 2,
      analysis: "pairs-1",
      simulated: false,
      rise_tenths: 90,
      ...fields
    }
    const dayBefore = new Date(Date.parse(fields.from) - 86_400_000)
    const facts = { version: 4 as const, experiment, measure_version, tracked_set, tracked_set_sha256 }
    yield* seals.insert(id, makeSeal({ scanId: head.scanId, leaves: [], head, sealedAt: sealedAt ?? dayBefore, facts }))
    return experiment.id
  }
)
