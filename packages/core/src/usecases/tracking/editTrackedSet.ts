import { Effect, Equal, Schedule } from "effect"
import type { Act } from "../../domain/audit/AuditEntry.ts"
import { BrandId, CompetitorId, type OrganizationId } from "../../domain/ids.ts"
import { termConflicts } from "../../domain/measuring/measureAnswer.ts"
import type { Brand, Competitor, TrackedSet } from "../../domain/tracking/TrackedSet.ts"
import { TrackedSetStore } from "../../ports/TrackedSetStore.ts"
import { runActs } from "../audit/recordActs.ts"
import { NotFound, NotReady, Rejected } from "../errors.ts"
import { newId } from "../newId.ts"
import { now } from "../now.ts"

type EditedTerms = Pick<TrackedSet, "brand" | "competitors">

/** Rejects a set in which one term belongs to two entities: the matcher could not attribute it (M11). */
const checkTerms = (set: EditedTerms): Effect.Effect<EditedTerms, Rejected> => {
  const conflicts = termConflicts(set.brand, set.competitors, set.brand.excludes)
  return conflicts.length === 0 ? Effect.succeed(set) : Effect.fail(
    new Rejected({
      field: "name",
      message: `"${conflicts[0]}" is registered for two entities; a term may stand for one only`
    })
  )
}

/** How an edit ended. `before` = what it was made from; `changed` = whether it made a version. */
interface Edit {
  readonly set: TrackedSet
  readonly before: TrackedSet | null
  readonly changed: boolean
}

// With terms in a fixed order: two that differ in order only are equal
const sortEntity = <A extends Omit<Competitor, "id">>(one: A): A => ({
  ...one,
  aliases: one.aliases.toSorted(),
  domains: one.domains.toSorted()
})
const sortBrand = (brand: Brand): Brand => ({ ...sortEntity(brand), excludes: brand.excludes.toSorted() })
const sortTerms = ({ brand, competitors }: EditedTerms): EditedTerms => ({
  brand: sortBrand(brand),
  competitors: competitors.map(sortEntity)
})

const toDetail = ({ aliases, domains, name }: Omit<Competitor, "id">) => ({ name, aliases, domains })
const toBrandDetail = ({ excludes, ...brand }: Brand) => ({ ...toDetail(brand), excludes })

/** What one set says differently from the one before. */
const listActs = ({ before, set }: Edit): ReadonlyArray<Act> => {
  const { version } = set
  const known = new Map(before?.competitors.map((one) => [one.id, one]))
  const left = new Set(set.competitors.map(({ id }) => id))
  const brandChanged = before === null || !Equal.equals(sortBrand(before.brand), sortBrand(set.brand))
  return [
    ...brandChanged
      ? [
        {
          action: "brand.changed",
          subjectId: set.brand.id,
          detail: { ...toBrandDetail(set.brand), version, before: before === null ? null : toBrandDetail(before.brand) }
        } as const
      ]
      : [],
    ...set.competitors.flatMap((one): ReadonlyArray<Act> => {
      const earlier = known.get(one.id)
      if (earlier !== undefined && Equal.equals(sortEntity(earlier), sortEntity(one))) return []
      const detail = { ...toDetail(one), version }
      return earlier === undefined
        ? [{ action: "competitor.added", subjectId: one.id, detail }]
        : [{ action: "competitor.changed", subjectId: one.id, detail: { ...detail, before: toDetail(earlier) } }]
    }),
    ...before?.competitors.flatMap((one) =>
      left.has(one.id)
        ? []
        : [{ action: "competitor.removed", subjectId: one.id, detail: { ...toDetail(one), version } } as const]
    ) ?? []
  ]
}

/**
 * Adds the next version of the tracked set, made from the current one; repeats when another edit came first. An edit that
 * changes nothing adds no version, because history, comparison and alerts work within one version only.
 */
const appendVersion = <E, R>(
  organizationId: OrganizationId,
  change: (current: TrackedSet | null) => Effect.Effect<EditedTerms, E, R>
) =>
  runActs(
    organizationId,
    Effect.gen(function*() {
      const store = yield* TrackedSetStore
      const current = yield* store.current(organizationId)
      const edited = yield* Effect.flatMap(change(current), checkTerms)
      if (current !== null && Equal.equals(sortTerms(edited), sortTerms(current))) {
        return { set: current, before: current, changed: false } satisfies Edit
      }
      const set: TrackedSet = { ...edited, version: (current?.version ?? 0) + 1, createdAt: yield* now }
      yield* store.append(organizationId, set)
      return { set, before: current, changed: true } satisfies Edit
    }),
    (edit: Edit) => edit.changed ? listActs(edit) : []
  ).pipe(
    Effect.retry({
      while: (error) => (error as { readonly _tag?: string })._tag === "TrackedSetChanged",
      schedule: Schedule.recurs(20)
    })
  )

/** An entity after an edit; `before` = as it was, null when it is new. */
export interface EditedEntity<A> {
  readonly entity: A
  readonly before: A | null
  readonly changed: boolean
}

/** Sets name, aliases, domains and excludes of the tracked brand, replacing the present ones; the brand keeps its id. Fails with Rejected (M11). */
export const setBrand = Effect.fn("setBrand")(function*(
  organizationId: OrganizationId,
  brand: Omit<Brand, "id">
) {
  const fresh = yield* newId(BrandId)
  const { before, changed, set } = yield* appendVersion(organizationId, (current) =>
    Effect.succeed({
      brand: { ...brand, id: current?.brand.id ?? fresh },
      competitors: current?.competitors ?? []
    }))
  return { entity: set.brand, before: before?.brand ?? null, changed } satisfies EditedEntity<Brand>
})

/**
 * Adds a competitor. One that has this name already keeps its id and gets the aliases and domains beside its own, or with
 * `replace` in place of them.
 */
export const addCompetitor = Effect.fn("addCompetitor")(function*(
  organizationId: OrganizationId,
  { aliases, domains, name }: Omit<Competitor, "id">,
  { replace = false }: { readonly replace?: boolean } = {}
) {
  const fresh = yield* newId(CompetitorId)
  const findByName = (set: EditedTerms | null) => set?.competitors.find((one) => one.name === name)
  const { before, changed, set } = yield* appendVersion(organizationId, (current) => {
    if (current === null) return Effect.fail(new NotReady({ missing: "brand" }))
    const same = findByName(current)
    const kept = replace ? undefined : same
    const added = {
      id: same?.id ?? fresh,
      name,
      aliases: [...new Set([...kept?.aliases ?? [], ...aliases])],
      domains: [...new Set([...kept?.domains ?? [], ...domains])]
    }
    return Effect.succeed({
      brand: current.brand,
      competitors: same === undefined
        ? [...current.competitors, added]
        : current.competitors.map((one) => one.id === same.id ? added : one)
    })
  })
  return { entity: findByName(set)!, before: findByName(before) ?? null, changed } satisfies EditedEntity<Competitor>
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
  yield* appendVersion(organizationId, (current) =>
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
  return (yield* appendVersion(organizationId, () => Effect.succeed({ brand, competitors }))).set
})
