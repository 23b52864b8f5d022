/** An experiment from its sealed plan to its result, and what a superuser does to it in between. */
import {
  type ArchiveProblem,
  decideTopics,
  type Experiment,
  experimentDetailJson,
  type ExperimentId,
  listExperiments,
  type OrganizationId,
  readExperiment,
  readKeywords,
  readTrackedSet,
  ScanStore,
  ScoreStore,
  SealStore,
  startExperiment,
  stopExperiment,
  TrackedSetStore,
  verifyArchive
} from "@sov/core"
import { addScan, at, scoreOf, seedOrganization, trackedSet } from "@sov/core/testing"
import { Effect } from "effect"
import { afterAll, describe, expect, it } from "vitest"
import { asSuperuser } from "../../support/asSuperuser.ts"
import { atTime, day, plan, planOptions, scanAt, seedTopics, started, usual } from "../../support/experiments.ts"
import { checked, exported } from "../../support/exportedLines.ts"
import { serverHomeOrAll } from "../../support/homes.ts"
import { openStorage } from "../../support/storage.ts"

const verify = Effect.fnUntraced(function*(id: OrganizationId) {
  const problems: Array<ArchiveProblem> = []
  yield* verifyArchive(id, {
    onProblem: (problem) => Effect.sync(() => void problems.push(problem)),
    onAnswers: () => undefined
  })
  return problems.map(({ id, problem, what }) => `${what} ${id} ${problem}`)
})

const read = (organizationId: OrganizationId, id: ExperimentId, seconds: number) =>
  Effect.map(atTime(seconds, readExperiment(organizationId, id)), experimentDetailJson)

const treatedOf = ({ plan }: Experiment) => new Set(plan.pairs.flatMap(({ treated }) => treated))

/** What must say nothing before the end. */
const silent = {
  verdict: null,
  effect: null,
  interval: null,
  placebo: null,
  platforms: [],
  broken: null,
  sentence: "No result before 2026-03-20 is over."
}

describe.each(serverHomeOrAll)("experiments on the %s home", (home) => {
  const storage = openStorage(home, "superuser")
  afterAll(storage.close)

  it("experiments are sealed before the change, report nothing until the end, and then report the effect of the change", () =>
    storage.run(Effect.gen(function*() {
      const organizationId = yield* seedTopics(18)
      const id = yield* plan(organizationId)
      const [experiment] = yield* atTime(started, listExperiments(organizationId))
      expect(experiment).toMatchObject({
        state: "planned",
        stopped: null,
        plan: { name: planOptions.name, from: planOptions.from, seed: expect.stringMatching(/^[0-9a-f]{8}$/) }
      })
      expect(experiment!.plan.pairs).toHaveLength(9)
      const head = yield* (yield* SealStore).head(organizationId)
      expect(head).toMatchObject({ leafCount: 0, facts: { version: 4, experiment: { id } } })
      const treated = treatedOf(experiment!)
      for (const seconds of [30, 36, 42]) {
        yield* scanAt(organizationId, seconds * day, (keyword, n) => treated.has(keyword) || usual(keyword, n))
        expect(yield* read(organizationId, id, (seconds + 1) * day)).toMatchObject({ ...silent, state: "running" })
      }
      const before = yield* read(organizationId, id, 48 * day)
      expect(before).toMatchObject({ ...silent, progress: { scans_before: 4, scans_after: 3 } })
      // No share, count of mentions or change stands anywhere in it
      expect(JSON.stringify({ ...before, power: null })).not.toMatch(/share|mention|sov|course/)
      const after = yield* read(organizationId, id, 49 * day)
      expect(after).toMatchObject({ state: "ended", verdict: "rise" })
      expect(after.effect).toBeGreaterThan(30)
      expect(after.interval!.low).toBeGreaterThan(0)
      expect(after.placebo!.interval!.low).toBeLessThanOrEqual(0)
      expect(after.platforms.map(({ platform }) => platform)).toEqual(["assistant_a", "assistant_b"])
      expect(yield* verify(organizationId)).toEqual([])
    })))

  it("experiments are broken if a platform's model changes, or no scan was measured with the names of the plan", () =>
    storage.run(Effect.gen(function*() {
      const organizationId = yield* seedTopics(18)
      const id = yield* plan(organizationId)
      const treated = treatedOf((yield* listExperiments(organizationId))[0]!)
      yield* scanAt(
        organizationId,
        30 * day,
        (keyword, n) => treated.has(keyword) || usual(keyword, n),
        "another-model"
      )
      expect(yield* read(organizationId, id, 49 * day)).toMatchObject({
        verdict: "broken",
        effect: null,
        broken: expect.stringMatching(/^assistant_\w changed its model from .* to another-model$/)
      })
      yield* (yield* TrackedSetStore).append(organizationId, { ...(yield* trackedSet(2)), createdAt: at(31 * day) })
      yield* scanAt(organizationId, 36 * day, usual)
      expect(yield* read(organizationId, id, 49 * day)).toMatchObject({
        verdict: "broken",
        broken: expect.stringContaining("the names changed")
      })
    })))

  it("experiments count the scans before the change, however many follow it, and no scans of another surface", () =>
    storage.run(Effect.gen(function*() {
      const organizationId = yield* seedTopics(18)
      const id = yield* plan(organizationId)
      const [scans, scores] = [yield* ScanStore, yield* ScoreStore]
      for (let n = 0; n < 110; n++) {
        const startedAt = at(30 * day + n * 3600)
        const surface = n % 2 === 0 ? "app" : "api"
        const { scan } = yield* addScan(organizationId, [], { startedAt, cellCount: 36, surface })
        yield* scores.insert(organizationId, scoreOf(scan.id), startedAt)
        yield* scans.end(organizationId, scan.id, "completed", startedAt)
      }
      const { after, before } = yield* atTime(49 * day, readExperiment(organizationId, id))
      const days = (some: typeof before) => some.map(({ startedAt }) => (startedAt.getTime() - at(0).getTime()) / 1000)
      expect(days(before)).toEqual([5, 12, 19, 26].map((one) => one * day))
      expect(days(after)).toEqual([1, 3, 5].map((n) => 30 * day + n * 3600))
    })))

  it("deciding topics before the end of an experiment would break it, so the change is refused until then", () =>
    storage.run(Effect.gen(function*() {
      const organizationId = yield* seedTopics(18)
      const [first, second] = (yield* readKeywords(organizationId)).map(({ id }) => id)
      yield* decideTopics(organizationId, "keep", [first!])
      yield* plan(organizationId)
      const { version } = yield* readTrackedSet(organizationId)
      const decide = (seconds: number, act: "join" | "keep", ids: ReadonlyArray<typeof first>) =>
        atTime(seconds * day, decideTopics(organizationId, act, ids.map((id) => id!)))
      for (const seconds of [28, 40]) {
        expect(yield* Effect.flip(decide(seconds, "join", [first, second]))).toMatchObject({
          _tag: "Rejected",
          message: expect.stringMatching(/"Guides" .* until 2026-03-20 is over/)
        })
        expect(yield* decide(seconds, "keep", [first])).toMatchObject({ changed: false })
      }
      expect((yield* readTrackedSet(organizationId)).version).toBe(version)
      expect(yield* decide(49, "join", [first, second])).toMatchObject({ changed: true })

      const other = yield* seedTopics(18)
      const id = yield* plan(other)
      const ids = (yield* readKeywords(other)).map((one) => one.id)
      yield* atTime(35 * day, stopExperiment(other, id, "withdrawn"))
      expect(yield* atTime(36 * day, decideTopics(other, "keep", [ids[0]!]))).toMatchObject({ changed: true })
    })))

  it("experiments can be ended early once, with a sealed reason, and then never have a result", () =>
    storage.run(Effect.gen(function*() {
      const organizationId = yield* seedTopics(18)
      const id = yield* plan(organizationId)
      const stop = (why: string) => atTime(35 * day, stopExperiment(organizationId, id, why))
      expect(yield* Effect.flip(stop(" "))).toMatchObject({ field: "reason" })
      expect((yield* stop("withdrawn")).stopped).toMatchObject({ reason: "withdrawn" })
      expect(yield* Effect.flip(stop("again"))).toMatchObject({ field: "experiment" })
      yield* scanAt(organizationId, 40 * day, usual)
      expect(yield* read(organizationId, id, 60 * day)).toMatchObject({ ...silent, sentence: expect.any(String) })
      expect(yield* verify(organizationId)).toEqual([])
    })))

  it.each([
    [{ from: "2026-02-27" }, "from"],
    [{ until: "2026-02-28" }, "until"],
    [{ until: "2027-12-31" }, "until"],
    [{ name: "" }, "name"],
    [{ change: "two\nlines" }, "change"],
    [{ scansAfter: 0 }, "scans"]
  ])("experiments are refused with %j", (wrong, field) =>
    storage.run(Effect.gen(function*() {
      const { id } = yield* seedOrganization()
      expect(yield* Effect.flip(atTime(started, startExperiment(id, { ...planOptions, ...wrong })))).toMatchObject({
        _tag: "Rejected",
        field
      })
    })))

  it("experiments are refused with a reason below 16 topics and before the second scan", () =>
    storage.run(Effect.gen(function*() {
      const few = yield* seedTopics(15)
      for (const seconds of [5, 12]) yield* scanAt(few, seconds * day, usual)
      expect((yield* Effect.flip(atTime(started, startExperiment(few, planOptions)))).message).toMatch(
        /15 topics.*at least 16/
      )
      const young = yield* seedTopics(18)
      yield* scanAt(young, 5 * day, usual)
      expect((yield* Effect.flip(atTime(started, startExperiment(young, planOptions)))).message).toMatch(/two scans/)
    })))

  it.each([
    ["the seed", `facts = jsonb_set(facts, '{experiment,seed}', '"00000000"')`],
    ["the change", `facts = jsonb_set(facts, '{experiment,change}', '"nothing"')`],
    ["the end", `facts = jsonb_set(facts, '{experiment,until}', '"2026-03-10"')`],
    ["a pair", `facts = facts #- '{experiment,pairs,0}'`],
    ["the promise", `facts = jsonb_set(facts, '{experiment,rise_tenths}', '1')`],
    ["the rules", `facts = jsonb_set(facts, '{measure_version}', '1')`],
    ["the time", "sealed_at = sealed_at - interval '9 days'"]
  ])("a check reports experiments whose plan had %s changed", (_, change) =>
    storage.run(Effect.gen(function*() {
      const organizationId = yield* seedTopics(18)
      const id = yield* plan(organizationId)
      yield* asSuperuser(
        [`update seal set ${change} where organization_id = '${organizationId}' and facts ->> 'version' = '4'`],
        Effect.gen(function*() {
          expect(yield* verify(organizationId)).toEqual([`seal 5 changed`, `experiment ${id} changed`])
        })
      )
    })))

  it("exported experiments are checked without the database, and reported if their plan was edited", () =>
    storage.run(Effect.gen(function*() {
      const organizationId = yield* seedTopics(18)
      const id = yield* plan(organizationId)
      yield* scanAt(organizationId, 30 * day, usual)
      yield* atTime(35 * day, stopExperiment(organizationId, id, "withdrawn"))
      const lines = yield* exported(organizationId)
      expect((yield* checked(lines)).problems).toEqual([])
      const context = lines.context.map((line) =>
        line.replace(`"until":"${planOptions.until}"`, "\"until\":\"2026-03-10\"")
      )
      expect(context).not.toEqual(lines.context)
      expect((yield* checked({ ...lines, context })).problems).toEqual([
        "its hash is not the one of what it says",
        "its plan, or what seal 5 says beside it, is not what was sealed"
      ])
    })))

  it("experiments that were removed from the chain are reported once it has a later seal", () =>
    storage.run(Effect.gen(function*() {
      const organizationId = yield* seedTopics(18)
      yield* plan(organizationId)
      yield* scanAt(organizationId, 30 * day, usual)
      yield* asSuperuser(
        [`delete from seal where organization_id = '${organizationId}' and facts ->> 'version' = '4'`],
        Effect.gen(function*() {
          expect(yield* verify(organizationId)).toEqual(["seal 5 removed"])
        })
      )
    })))
})
