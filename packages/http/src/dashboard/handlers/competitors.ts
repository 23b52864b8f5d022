/** Competitors: the page, its CSV, and what changes the names that are looked for. */
import {
  addCompetitor as add,
  atLeast,
  type Competitor,
  CompetitorId,
  DomainName,
  Name,
  readCompetitors,
  readTrackedSet,
  type Rejected,
  removeCompetitor as remove,
  roundHalfUp,
  setBrand
} from "@sov/core"
import { Effect, Schema } from "effect"
import { noSuchPage, PageRefused } from "../guard/PageRefused.ts"
import type { OrganizationRequest } from "../guard/PageRequest.ts"
import { seeOther, sendCsv, showPage } from "../guard/Reply.ts"
import {
  brandPage,
  competitorPage,
  competitorsPage,
  emptyNames,
  type NamesForm,
  noBrandPage,
  type RefusedNames,
  removeCompetitorPage,
  typedFrom,
  type TypedNames
} from "../pages/competitors.ts"
import type { DoneCode } from "../pages/done.ts"
import { inOrganization } from "../pages/sections.ts"

/** Scans of the small courses. */
const courseScans = 12

const read = ({ organization, window }: OrganizationRequest) => readCompetitors(organization.id, window, courseScans)

const backToList = ({ organization: { slug } }: OrganizationRequest, done: DoneCode) =>
  seeOther(inOrganization(slug, "/competitors", { done }))

/** GET /o/{slug}/competitors */
export const showCompetitors = Effect.fnUntraced(function*(request: OrganizationRequest) {
  const { frame } = request
  const found = yield* read(request).pipe(Effect.catchTag("NotReady", () => Effect.succeed(null)))
  return showPage(
    found !== null
      ? competitorsPage(frame, found)
      : atLeast(frame.role, "member")
      ? brandPage(frame, emptyNames)
      : noBrandPage(frame)
  )
})

const oneDigit = (value: number | null | undefined): number | null => value == null ? null : roundHalfUp(value, 1)

/** GET /o/{slug}/competitors.csv: a line for everybody who is named or tracked. */
export const downloadCompetitors = Effect.fnUntraced(function*(request: OrganizationRequest) {
  const found = yield* read(request).pipe(Effect.catchTag("NotReady", () => Effect.succeed(null)))
  const { named = [], scan, trackedSet } = found ?? {}
  const tracked = new Map(trackedSet?.competitors.map((one) => [one.id, one]))
  const known = new Set(named.map(({ id }) => id))
  const lines = [
    ...named.map(({ id, interval, name, sov, who }) => ({
      who,
      id,
      name,
      sov,
      interval,
      of: who === "brand" ? trackedSet?.brand : id === null ? undefined : tracked.get(id)
    })),
    ...[...tracked.values()].filter(({ id }) => !known.has(id)).map((one) => ({
      who: "competitor" as const,
      id: one.id,
      name: one.name,
      sov: null,
      interval: null,
      of: one
    }))
  ]
  return sendCsv<typeof lines[number]>("competitors.csv", {
    scan_id: () => scan?.id,
    kind: ({ who }) => who,
    id: ({ id }) => id,
    name: ({ name }) => name,
    sov: ({ sov }) => oneDigit(sov),
    interval_low: ({ interval }) => oneDigit(interval?.low),
    interval_high: ({ interval }) => oneDigit(interval?.high),
    aliases: ({ of }) => of?.aliases.join("; "),
    domains: ({ of }) => of?.domains.join("; "),
    simulated: () => scan?.simulated
  }, lines)
})

const readTyped = ({ form }: OrganizationRequest): TypedNames => ({
  name: form.get("name") ?? "",
  aliases: form.get("aliases") ?? "",
  domains: form.get("domains") ?? "",
  excludes: form.get("excludes") ?? ""
})

const isName: (text: string) => boolean = Schema.is(Name)
const isDomain: (text: string) => boolean = Schema.is(DomainName)

const listLines = (text: string): ReadonlyArray<string> => [
  ...new Set(text.split(/\r\n|\r|\n/).map((line) => line.trim()).filter((line) => line !== ""))
]

/** What a form says, or the field that is not accepted. */
const parseNames = (
  typed: TypedNames
): Omit<Competitor, "id"> & { readonly excludes: ReadonlyArray<string> } | RefusedNames => {
  const parsed = {
    name: typed.name.trim(),
    aliases: listLines(typed.aliases),
    domains: listLines(typed.domains),
    excludes: listLines(typed.excludes)
  }
  if (!isName(parsed.name)) {
    return { field: "name", message: "A name has 1–200 characters, without control characters." }
  }
  for (const field of ["aliases", "excludes"] as const) {
    const wrong = parsed[field].find((one) => !isName(one))
    if (wrong !== undefined) return { field, message: `“${wrong}” is no name of 1–200 characters.` }
  }
  const wrong = parsed.domains.find((one) => !isDomain(one))
  return wrong === undefined
    ? parsed
    : { field: "domains", message: `“${wrong}” must be a bare host such as acme.com (no https://, no path).` }
}

const isRefused = (parsed: ReturnType<typeof parseNames>): parsed is RefusedNames => "field" in parsed

/** Others kept changing the names at the same time. */
const changedMeanwhile = () => Effect.fail(new PageRefused({ status: 409, words: null }))

const refusalOf = ({ message }: Rejected): RefusedNames => ({ field: "name", message })

/** POST /o/{slug}/competitors */
export const addCompetitor = Effect.fnUntraced(function*(request: OrganizationRequest) {
  const { frame, organization } = request
  const typed = readTyped(request)
  const refuse = (refused: RefusedNames) =>
    Effect.map(read(request), (found) => showPage(competitorsPage(frame, found, { typed, refused }), { status: 422 }))
  const parsed = parseNames(typed)
  if (isRefused(parsed)) return yield* refuse(parsed)
  return yield* add(organization.id, parsed).pipe(
    Effect.map(({ before, changed }) =>
      backToList(request, before === null ? "competitor-added" : changed ? "competitor-changed" : "names-unchanged")
    ),
    Effect.catchTag("Rejected", (error) => refuse(refusalOf(error)))
  )
}, Effect.catchTags({ NotReady: () => Effect.fail(noSuchPage), TrackedSetChanged: changedMeanwhile }))

const findBrand = ({ organization }: OrganizationRequest) =>
  Effect.map(readTrackedSet(organization.id), ({ brand }): NamesForm => ({ typed: typedFrom(brand), refused: null }))

/** GET /o/{slug}/competitors/brand */
export const showBrand = Effect.fnUntraced(function*(request: OrganizationRequest) {
  const form = yield* findBrand(request).pipe(Effect.catchTag("NotReady", () => Effect.succeed(emptyNames)))
  return showPage(brandPage(request.frame, form))
})

/** POST /o/{slug}/competitors/brand */
export const changeBrand = Effect.fnUntraced(function*(request: OrganizationRequest) {
  const { frame, organization } = request
  const typed = readTyped(request)
  const refuse = (refused: RefusedNames) => showPage(brandPage(frame, { typed, refused }), { status: 422 })
  const parsed = parseNames(typed)
  if (isRefused(parsed)) return refuse(parsed)
  return yield* setBrand(organization.id, parsed).pipe(
    Effect.map(({ changed }) => backToList(request, changed ? "brand-set" : "names-unchanged")),
    Effect.catchTag("Rejected", (error) => Effect.succeed(refuse(refusalOf(error))))
  )
}, Effect.catchTag("TrackedSetChanged", changedMeanwhile))

const isCompetitorId = Schema.is(CompetitorId)

/** The competitor that a path names, if it is tracked now. */
const findCompetitor = Effect.fnUntraced(function*({ organization, params }: OrganizationRequest) {
  const id = params["id"]?.toLowerCase()
  if (!isCompetitorId(id)) return yield* noSuchPage
  const { competitors } = yield* readTrackedSet(organization.id).pipe(
    Effect.catchTag("NotReady", () => Effect.fail(noSuchPage))
  )
  return competitors.find((one) => one.id === id) ?? (yield* noSuchPage)
})

/** GET /o/{slug}/competitors/{id} */
export const showCompetitor = Effect.fnUntraced(function*(request: OrganizationRequest) {
  const found = yield* findCompetitor(request)
  return showPage(competitorPage(request.frame, found, { typed: typedFrom(found), refused: null }))
})

/** POST /o/{slug}/competitors/{id} */
export const changeCompetitor = Effect.fnUntraced(function*(request: OrganizationRequest) {
  const { frame, organization } = request
  const found = yield* findCompetitor(request)
  const typed = { ...readTyped(request), name: found.name }
  const refuse = (refused: RefusedNames) => {
    // The form has no field for the name, which another one's spelling may collide with
    const field = refused.field === "name" ? "aliases" : refused.field
    return showPage(competitorPage(frame, found, { typed, refused: { ...refused, field } }), { status: 422 })
  }
  const parsed = parseNames(typed)
  if (isRefused(parsed)) return refuse(parsed)
  return yield* add(organization.id, parsed, { replace: true }).pipe(
    Effect.map(({ changed }) => backToList(request, changed ? "competitor-changed" : "names-unchanged")),
    Effect.catchTags({
      Rejected: (error) => Effect.succeed(refuse(refusalOf(error))),
      NotReady: () => Effect.fail(noSuchPage)
    })
  )
}, Effect.catchTag("TrackedSetChanged", changedMeanwhile))

/** GET /o/{slug}/competitors/{id}/remove */
export const showRemoval = Effect.fnUntraced(function*(request: OrganizationRequest) {
  const { id, name } = yield* findCompetitor(request)
  return showPage(removeCompetitorPage(request.frame, id, name))
})

/** POST /o/{slug}/competitors/{id}/remove */
export const removeCompetitor = Effect.fnUntraced(function*(request: OrganizationRequest) {
  const { id } = yield* findCompetitor(request)
  yield* remove(request.organization.id, id)
  return backToList(request, "competitor-removed")
}, Effect.catchTag("TrackedSetChanged", changedMeanwhile))
