import { Effect, Equal, Schedule } from "effect"
import type { Act } from "../../domain/audit/AuditEntry.ts"
import { BrandId, CompetitorId, type OrganizationId } from "../../domain/ids.ts"
import { termConflicts } from "../../domain/measuring/measureAnswer.ts"
import { type EntityTerms, toEntityTerms } from "../../domain/measuring/Measurement.ts"
import { putTopics } from "../../domain/tracking/decidedTopics.ts"
import type { Keyword } from "../../domain/tracking/Keyword.ts"
import {
  dropCompetitor,
  type Names,
  putCompetitor,
  replaceBrand,
  sortBrand,
  sortCompetitor,
  sortTerms
} from "../../domain/tracking/namesChange.ts"
import type { Brand, Competitor, TrackedSet } from "../../domain/tracking/TrackedSet.ts"
import { OrganizationStore } from "../../ports/OrganizationStore.ts"
import { TrackedSetStore } from "../../ports/TrackedSetStore.ts"
import { runActs } from "../audit/recordActs.ts"
import { NotFound, NotReady, Rejected } from "../errors.ts"
import { listExperiments } from "../experiments/readExperiments.ts"
import { newId } from "../newId.ts"
import { now } from "../now.ts"

/** All names that answers are searched for. */
interface TermsOfAll {
  readonly brand: EntityTerms & Pick<Brand, "excludes">
  readonly competitors: ReadonlyArray<EntityTerms>
}

/** Rejects names if one term belongs to two entities, because the matcher could not attribute it (M11). */
export const checkTerms = <A extends TermsOfAll>(names: A): Effect.Effect<A, Rejected> => {
  const conflicts = termConflicts(names.brand, names.competitors, names.brand.excludes)
  return conflicts.length === 0 ? Effect.succeed(names) : Effect.fail(
    new Rejected({
      field: "name",
      message: `"${conflicts[0]}" is registered for two entities; a term may stand for one only`
    })
  )
}

/** The changed names, and the topics if they change. */
type Change = Names & Pick<TrackedSet, "topics">

/**
 * The tracked set with these names and topics (default: those of `current`): the next version after `current`, or
 * `current` itself if nothing changed, because history, comparison and alerts work only within one version. Fails with
 * Rejected if a term belongs to two entities (M11).
 */
export const makeNextVersion = (current: TrackedSet | null, change: Change, at: Date) =>
  Effect.map(checkTerms(change), ({ brand, competitors, topics = current?.topics }): TrackedSet => {
    const names = { brand, competitors }
    return current !== null && Equal.equals(sortTerms(names), sortTerms(current)) &&
        Equal.equals(topics, current.topics)
      ? current
      : {
        version: (current?.version ?? 0) + 1,
        ...names,
        ...topics === undefined ? {} : { topics },
        createdAt: at
      }
  })

/** The result of an edit. `before` is the edited set; `changed` tells whether a new version was created. */
interface Edit {
  readonly set: TrackedSet
  readonly before: TrackedSet | null
  readonly changed: boolean
}

const toBrandDetail = ({ excludes, ...brand }: Brand) => ({ ...toEntityTerms(brand), excludes })

/** The differences between one set and the previous one. */
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
      if (earlier !== undefined && Equal.equals(sortCompetitor(earlier), sortCompetitor(one))) return []
      const detail = { ...toEntityTerms(one), version }
      return earlier === undefined
        ? [{ action: "competitor.added", subjectId: one.id, detail }]
        : [{ action: "competitor.changed", subjectId: one.id, detail: { ...detail, before: toEntityTerms(earlier) } }]
    }),
    ...before?.competitors.flatMap((one) =>
      left.has(one.id)
        ? []
        : [{ action: "competitor.removed", subjectId: one.id, detail: { ...toEntityTerms(one), version } } as const]
    ) ?? []
  ]
}

/**
 * Adds the version that results from a change of the present names or topics, and records its acts; repeats if another
 * edit came first.
 */
const appendVersion = <E, R>(
  organizationId: OrganizationId,
  change: (current: TrackedSet | null) => Effect.Effect<Change, E, R>,
  toActs: (edit: Edit) => ReadonlyArray<Act> = listActs
) =>
  runActs(
    organizationId,
    Effect.gen(function*() {
      const store = yield* TrackedSetStore
      const before = yield* store.current(organizationId)
      const set = yield* makeNextVersion(before, yield* change(before), yield* now)
      const changed = set !== before
      if (changed) yield* store.append(organizationId, set)
      return { set, before, changed } satisfies Edit
    }),
    (edit: Edit) => edit.changed ? toActs(edit) : []
  ).pipe(
    Effect.retry({
      while: (error) => (error as { readonly _tag?: string })._tag === "TrackedSetChanged",
      schedule: Schedule.recurs(20)
    })
  )

/** An entity after an edit; `before` is its former state, null if it is new. */
export interface EditedEntity<A> {
  readonly entity: A
  readonly before: A | null
  readonly changed: boolean
}

/**
 * Sets name, aliases, domains, context words and excludes of the tracked brand, replacing the present ones; the brand
 * keeps its id. Fails with Rejected (M11).
 */
export const setBrand = Effect.fn("setBrand")(function*(organizationId: OrganizationId, brand: Omit<Brand, "id">) {
  const freshId = yield* newId(BrandId)
  const { before, changed, set } = yield* appendVersion(
    organizationId,
    (current) => Effect.succeed(replaceBrand(current, brand, freshId))
  )
  return { entity: set.brand, before: before?.brand ?? null, changed } satisfies EditedEntity<Brand>
})

/**
 * Adds a competitor. If one with this name exists, it keeps its id and receives the aliases, domains and context words
 * in addition to its own, or with `replace` instead of its own.
 */
export const addCompetitor = Effect.fn("addCompetitor")(function*(
  organizationId: OrganizationId,
  competitor: Omit<Competitor, "id">,
  { replace = false }: { readonly replace?: boolean } = {}
) {
  const freshId = yield* newId(CompetitorId)
  const put = { competitor, replace }
  const { before, changed, set } = yield* appendVersion(organizationId, (current) =>
    current === null
      ? Effect.fail(new NotReady({ missing: "brand" }))
      : Effect.succeed(putCompetitor(current, put, freshId)))
  const findByName = (names: Names | null) => names?.competitors.find((one) => one.name === competitor.name)
  return { entity: findByName(set)!, before: findByName(before) ?? null, changed } satisfies EditedEntity<Competitor>
})

/** Removes a competitor by id or name; earlier scores still include it. */
export const removeCompetitor = Effect.fn("removeCompetitor")(function*(
  organizationId: OrganizationId,
  idOrName: string
) {
  const store = yield* TrackedSetStore
  const found = (yield* store.current(organizationId))?.competitors
    .find((one) => one.id === idOrName || one.name === idOrName)
  if (found === undefined) return yield* new NotFound({ what: "competitor", id: idOrName })
  yield* appendVersion(
    organizationId,
    (current) => Effect.succeed(dropCompetitor(current!, found.id))
  )
  return found
})

/** Sets the brand and all competitors at once, as one version. */
export const setTrackedSet = Effect.fn("setTrackedSet")(function*(
  organizationId: OrganizationId,
  input: { readonly brand: Omit<Brand, "id">; readonly competitors: ReadonlyArray<Omit<Competitor, "id">> }
) {
  const brand = { ...toEntityTerms(input.brand), excludes: input.brand.excludes, id: yield* newId(BrandId) }
  const competitors = yield* Effect.forEach(
    input.competitors,
    (one) => Effect.map(newId(CompetitorId), (id) => ({ ...toEntityTerms(one), id }))
  )
  return (yield* appendVersion(organizationId, () => Effect.succeed({ brand, competitors }))).set
})

/**
 * Fails with Rejected before the end of an experiment, because all scans of an experiment must be measured with the
 * same version.
 */
const refuseDuringExperiment = Effect.fnUntraced(function*(organizationId: OrganizationId) {
  // Waits for an experiment that is being started
  yield* (yield* OrganizationStore).lock(organizationId)
  const [last] = (yield* listExperiments(organizationId))
    .filter(({ state }) => state === "planned" || state === "running")
    .map(({ plan }) => plan)
    .toSorted((a, b) => a.until > b.until ? -1 : 1)
  if (last === undefined) return
  return yield* new Rejected({
    field: "topics",
    message: `the experiment "${last.name}" needs the present topics until ${last.until} is over: decide after that, ` +
      "or end it early"
  })
})

/**
 * Decides topics of keywords, replacing earlier decisions about these keywords (docs/measuring.md, section "Topics").
 * Fails with NotReady if no brand is set, and with Rejected for a change before the end of an experiment.
 */
export const setTopics = Effect.fn("setTopics")(
  function*(organizationId: OrganizationId, topics: ReadonlyArray<ReadonlyArray<Pick<Keyword, "id" | "text">>>) {
    const ids = topics.map((one) => one.map(({ id }) => id))
    return yield* appendVersion(
      organizationId,
      Effect.fnUntraced(function*(current) {
        if (current === null) return yield* new NotReady({ missing: "brand" })
        if (ids.length === 0) return current
        const next = putTopics(current.topics ?? [], ids)
        if (!Equal.equals(next, current.topics)) yield* refuseDuringExperiment(organizationId)
        return { ...current, topics: next }
      }),
      ({ set: { version } }) =>
        topics.map((one) => ({
          action: "topic.decided",
          subjectId: one[0]!.id,
          detail: { keywords: one.map(({ text }) => text), version }
        }))
    )
  }
)
