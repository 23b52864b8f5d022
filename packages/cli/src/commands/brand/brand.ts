/** sov brand, sov competitor: the names that sov looks for in answers. */
import { hasAnswers } from "@sov/core/archive"
import { NotFound, type OrganizationId } from "@sov/core/common"
import { wholeHistory } from "@sov/core/organizations"
import {
  addCompetitor,
  Brand,
  Competitor,
  type EditedEntity,
  entityJson,
  offerSpellings,
  readTrackedSet,
  removeCompetitor,
  setBrand
} from "@sov/core/tracking"
import { Effect } from "effect"
import { confirm } from "../../input/confirm.ts"
import { decodeInput } from "../../input/decodeInput.ts"
import type { Column, Output } from "../../output/Output.ts"
import { runForOrganization } from "../../runtime.ts"
import type { GlobalOptions } from "../../settings/GlobalOptions.ts"
import { offerText, printPreview } from "./namesPreview.ts"

interface Tried {
  /** Whether to print the effect on the archive without storing anything. */
  readonly dryRun?: boolean
}

interface Terms {
  readonly alias?: ReadonlyArray<string>
  readonly domain?: ReadonlyArray<string>
  readonly context?: ReadonlyArray<string>
  readonly exclude?: ReadonlyArray<string>
}

const describeEntity = (entity: Brand | Competitor): string =>
  [
    entity.name,
    entity.aliases.length === 0 ? "no aliases" : `also ${entity.aliases.join(", ")}`,
    entity.domains.length === 0 ? "no domains" : entity.domains.join(", "),
    ...entity.context === undefined ? [] : [`beside ${entity.context.join(", ")}`]
  ].join(" · ")

const listTerms = (entity: Brand | Competitor): ReadonlyArray<string> => [
  ...entity.aliases.map((alias) => `alias ${alias}`),
  ...entity.domains.map((domain) => `domain ${domain}`),
  ...(entity.context ?? []).map((word) => `context ${word}`),
  ..."excludes" in entity ? entity.excludes.map((term) => `exclude ${term}`) : []
]

const entityColumns: ReadonlyArray<Column<ReturnType<typeof entityJson>>> = [
  { header: "NAME", cell: (row) => row.name },
  { header: "ALIASES", cell: (row) => row.aliases.join(", ") },
  { header: "DOMAINS", cell: (row) => row.domains.join(", ") },
  { header: "ID", cell: (row) => row.id }
]

const decodeTerms = Effect.fnUntraced(function*(name: string, terms: Terms) {
  return {
    name: yield* decodeInput(Brand.fields.name, name, "name"),
    aliases: yield* decodeInput(Brand.fields.aliases, terms.alias ?? [], "--alias"),
    domains: yield* decodeInput(Competitor.fields.domains, terms.domain ?? [], "--domain"),
    context: yield* decodeInput(Brand.fields.aliases, terms.context ?? [], "--context")
  }
})

/** Prints an edited entity and the terms that the edit removed. */
const printEditedEntity = Effect.fnUntraced(function*(
  out: Output,
  organizationId: OrganizationId,
  label: string,
  keep: string,
  { before, changed, entity }: EditedEntity<Brand | Competitor>
) {
  out.result(entityJson(entity), () => `${changed ? label : "Nothing changed"}: ${describeEntity(entity)}`)
  const gone = before === null ? [] : listTerms(before).filter((term) => !listTerms(entity).includes(term))
  if (gone.length > 0) out.note(`Removed: ${gone.join(", ")}. ${keep}`)
  if (changed) yield* hintRescore(out, organizationId)
  if (!changed) return
  const tracked = yield* readTrackedSet(organizationId)
  for (const line of offerText(entity.name, yield* offerSpellings(organizationId, wholeHistory, tracked, entity))) {
    out.note(line)
  }
})

/** Prints how to measure archived answers with the current names. */
const hintRescore = Effect.fnUntraced(function*(out: Output, organizationId: OrganizationId) {
  if (!(yield* hasAnswers(organizationId))) return
  out.note(
    "Archived answers keep their numbers; sov rescore measures the archive again (--dry-run: what would change)."
  )
})

export const set = (options: GlobalOptions & Terms & Tried & { readonly name: string }) =>
  runForOrganization(options, { repeatable: true }, function*({ out }, organization) {
    const brand = {
      ...yield* decodeTerms(options.name, options),
      excludes: yield* decodeInput(Brand.fields.excludes, options.exclude ?? [], "--exclude")
    }
    if (options.dryRun === true) return yield* printPreview(out, organization.id, { kind: "brand", brand })
    const edited = yield* setBrand(organization.id, brand)
    yield* printEditedEntity(
      out,
      organization.id,
      "Tracked brand",
      "sov brand set replaces all: name what is to stay, too.",
      edited
    )
  })

export const show = (options: GlobalOptions) =>
  runForOrganization(options, { repeatable: true }, function*({ out }, organization) {
    const { brand } = yield* readTrackedSet(organization.id)
    out.result(entityJson(brand), () => describeEntity(brand))
  })

export const addRival = (options: GlobalOptions & Terms & Tried & { readonly replace?: boolean }, name: string) =>
  runForOrganization(options, { repeatable: true }, function*({ out }, organization) {
    const competitor = yield* decodeTerms(name, options)
    const replace = options.replace === true
    if (options.dryRun === true) {
      return yield* printPreview(out, organization.id, { kind: "competitor", competitor, replace })
    }
    const edited = yield* addCompetitor(organization.id, competitor, { replace })
    yield* printEditedEntity(out, organization.id, "Competitor", "Without --replace they stay.", edited)
  })

export const listRivals = (options: GlobalOptions) =>
  runForOrganization(options, { repeatable: true }, function*({ out }, organization) {
    const competitors = yield* Effect.map(readTrackedSet(organization.id), (set) => set.competitors).pipe(
      Effect.catchTag("NotReady", () => Effect.succeed([]))
    )
    out.list(competitors.map(entityJson), entityColumns, {
      empty: "No competitors yet: sov competitor add NAME"
    })
  })

export const removeRival = (options: GlobalOptions & Tried, idOrName: string) =>
  runForOrganization(options, {}, function*({ out }, organization) {
    if (options.dryRun === true) {
      const { competitors } = yield* readTrackedSet(organization.id)
      const found = competitors.find(({ id, name }) => id === idOrName || name === idOrName)
      if (found === undefined) return yield* new NotFound({ what: "competitor", id: idOrName })
      return yield* printPreview(out, organization.id, { kind: "removal", id: found.id })
    }
    yield* confirm(out, `Stop comparing with ${idOrName}? Earlier scores keep it.`)
    const removed = yield* removeCompetitor(organization.id, idOrName)
    out.result(entityJson(removed), () => `No longer compared with ${removed.name}.`)
    yield* hintRescore(out, organization.id)
  })
