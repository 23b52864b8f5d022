import { Effect, Schedule } from "effect"
import { BrandId, CompetitorId, type OrganizationId } from "../domain/ids.ts"
import { termConflicts } from "../domain/measuring/measureAnswer.ts"
import type { Brand, Competitor, TrackedSet } from "../domain/TrackedSet.ts"
import { TrackedSetStore } from "../ports/TrackedSetStore.ts"
import { NotFound, NotReady, Rejected } from "./errors.ts"
import { newId } from "./newId.ts"
import { now } from "./now.ts"

type Edited = Pick<TrackedSet, "brand" | "competitors">

/** Refuses a set in which one term stands for two entities: the matcher could not say who is meant (M11). */
const checkTerms = (set: Edited): Effect.Effect<Edited, Rejected> => {
  const conflicts = termConflicts(set.brand, set.competitors, set.brand.excludes)
  return conflicts.length === 0 ? Effect.succeed(set) : Effect.fail(
    new Rejected({
      field: "name",
      message: `"${conflicts[0]}" is registered for two entities; a term may stand for one only`
    })
  )
}

/** Adds the next version of the tracked set, made from the current one; repeats when somebody else was faster. */
const edit = <E, R>(
  organizationId: OrganizationId,
  change: (current: TrackedSet | null) => Effect.Effect<Edited, E, R>
) =>
  Effect.gen(function*() {
    const store = yield* TrackedSetStore
    const current = yield* store.current(organizationId)
    const edited = yield* Effect.flatMap(change(current), checkTerms)
    const set: TrackedSet = { ...edited, version: (current?.version ?? 0) + 1, createdAt: yield* now }
    yield* store.append(organizationId, set)
    return set
  }).pipe(
    Effect.retry({
      while: (error) => (error as { readonly _tag?: string })._tag === "TrackedSetChanged",
      schedule: Schedule.recurs(20)
    })
  )

/** Sets name, aliases, domains and excludes of the tracked brand; the brand keeps its id. */
export const setBrand = Effect.fn("setBrand")(function*(
  organizationId: OrganizationId,
  brand: Omit<Brand, "id">
) {
  const fresh = yield* newId(BrandId)
  const set = yield* edit(organizationId, (current) =>
    Effect.succeed({
      brand: { ...brand, id: current?.brand.id ?? fresh },
      competitors: current?.competitors ?? []
    }))
  return set.brand
})

/** Adds a competitor, or replaces the terms of the one with the same name. */
export const addCompetitor = Effect.fn("addCompetitor")(function*(
  organizationId: OrganizationId,
  competitor: Omit<Competitor, "id">
) {
  const fresh = yield* newId(CompetitorId)
  const set = yield* edit(organizationId, (current) => {
    if (current === null) return Effect.fail(new NotReady({ missing: "brand" }))
    const same = current.competitors.find((one) => one.name === competitor.name)
    const added = { ...competitor, id: same?.id ?? fresh }
    return Effect.succeed({
      brand: current.brand,
      competitors: same === undefined
        ? [...current.competitors, added]
        : current.competitors.map((one) => one.id === same.id ? added : one)
    })
  })
  return set.competitors.find((one) => one.name === competitor.name)!
})

/** Removes a competitor by id or name; earlier scores keep it. */
export const removeCompetitor = Effect.fn("removeCompetitor")(function*(
  organizationId: OrganizationId,
  idOrName: string
) {
  const store = yield* TrackedSetStore
  const found = (yield* store.current(organizationId))?.competitors
    .find((one) => one.id === idOrName || one.name === idOrName)
  if (found === undefined) return yield* new NotFound({ what: "competitor", id: idOrName })
  yield* edit(organizationId, (current) =>
    Effect.succeed({
      brand: current!.brand,
      competitors: current!.competitors.filter((one) => one.id !== found.id)
    }))
  return found
})

/** Sets brand and all competitors at once, as one version. */
export const setTrackedSet = Effect.fn("setTrackedSet")(function*(
  organizationId: OrganizationId,
  input: { readonly brand: Omit<Brand, "id">; readonly competitors: ReadonlyArray<Omit<Competitor, "id">> }
) {
  const brand = { ...input.brand, id: yield* newId(BrandId) }
  const competitors = yield* Effect.forEach(
    input.competitors,
    (one) => Effect.map(newId(CompetitorId), (id) => ({ ...one, id }))
  )
  return yield* edit(organizationId, () => Effect.succeed({ brand, competitors }))
})
