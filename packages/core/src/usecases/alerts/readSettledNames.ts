import { Effect } from "effect"
import type { OrganizationId } from "../../domain/ids.ts"
import { toComparisonForm } from "../../domain/measuring/measureAnswer.ts"
import { AlertStore } from "../../ports/AlertStore.ts"
import { TrackedSetStore } from "../../ports/TrackedSetStore.ts"

/** The comparison forms of names that are tracked or ignored now. */
export const readUnwantedNames = Effect.fnUntraced(function*(organizationId: OrganizationId) {
  const store = yield* TrackedSetStore
  const set = yield* store.current(organizationId)
  const tracked = set === null ? [] : [
    ...[set.brand, ...set.competitors].flatMap(({ aliases, name }) => [name, ...aliases]),
    ...set.brand.excludes
  ]
  const ignored = yield* store.listIgnored(organizationId)
  const forms: ReadonlySet<string> = new Set([
    ...tracked.map(toComparisonForm),
    ...ignored.map(({ form }) => form)
  ])
  return forms
})

/** Comparison forms of tracked, ignored and already reported names. */
export const readSettledNames = Effect.fnUntraced(function*(organizationId: OrganizationId) {
  const told = yield* (yield* AlertStore).listTold(organizationId)
  const forms: ReadonlySet<string> = new Set([...yield* readUnwantedNames(organizationId), ...told])
  return forms
})
