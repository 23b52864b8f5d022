/**
 * Changes the names that answers are searched for. The effect of a change on the archive can be previewed before the
 * change is stored.
 */
import { makeFormId } from "@sov/core/audit"
import { CompetitorId, type Rejected, type StoreError } from "@sov/core/common"
import { planMeasuring } from "@sov/core/measuring"
import { Name } from "@sov/core/organizations"
import {
  addCompetitor as add,
  type Brand,
  type Competitor,
  DomainName,
  type NamesChange,
  type NamesPreview,
  previewNames,
  readTrackedSet,
  removeCompetitor as remove,
  setBrand
} from "@sov/core/tracking"
import { Effect, Schema } from "effect"
import { noSuchPage, PageRefused } from "../guard/PageRefused.ts"
import type { OrganizationRequest } from "../guard/PageRequest.ts"
import { seeOther, showPage } from "../guard/Reply.ts"
import type { Html } from "../html.ts"
import type { DoneCode } from "../pages/done.ts"
import {
  acceptPage,
  brandPage,
  competitorPage,
  type NamesForm,
  namesText,
  newCompetitorPage,
  noNames,
  type RefusedNames,
  removeCompetitorPage,
  toTypedNames,
  type TypedNames
} from "../pages/names.ts"
import { inOrganization } from "../pages/sections.ts"
import { distinctLines, isAsSeen, readParam, readTexts } from "./forms.ts"
import { redirectTo, replyWithPage } from "./replies.ts"
import { submitForm } from "./saveForm.ts"

/** Value of `seenField` for an object that does not exist yet. */
const nothingYet = namesText(null)

const makeForm = (
  typed: TypedNames,
  now: string,
  { changed = false, refused = null }: Partial<Pick<NamesForm, "changed" | "refused">> = {}
) => Effect.map(makeFormId, (formId): NamesForm => ({ typed, now, refused, changed, formId }))

/** An empty form. */
export const emptyForm = makeForm(noNames, nothingYet)

const readTyped = (request: OrganizationRequest): TypedNames =>
  readTexts(request, ["name", "aliases", "domains", "excludes", "context"], { trim: false })

const isName: (text: string) => boolean = Schema.is(Name)
const isDomain: (text: string) => boolean = Schema.is(DomainName)

/** The domain in a line; addresses pasted from a browser are accepted. */
export const domainOf = (line: string): string =>
  /^https?:\/\//i.test(line) && URL.canParse(line) ? new URL(line).hostname : line

type Names = Required<Omit<Brand, "id">>

/** The names in a form, or the invalid field. */
const parseNames = (typed: TypedNames): Names | RefusedNames => {
  const parsed = {
    name: typed.name.trim(),
    aliases: distinctLines(typed.aliases),
    domains: distinctLines(typed.domains).map(domainOf),
    excludes: distinctLines(typed.excludes),
    context: distinctLines(typed.context)
  }
  if (!isName(parsed.name)) {
    return { field: "name", message: "Enter a name of 1–200 characters, without control characters." }
  }
  for (const field of ["aliases", "excludes", "context"] as const) {
    const wrong = parsed[field].find((one) => !isName(one))
    if (wrong !== undefined) return { field, message: `“${wrong}” is not a name of 1–200 characters.` }
  }
  const wrong = parsed.domains.find((one) => !isDomain(one))
  return wrong === undefined
    ? parsed
    : { field: "domains", message: `“${wrong}” is not a domain such as acme.com (without https:// or a path).` }
}

const isRefused = (parsed: Names | RefusedNames): parsed is RefusedNames => "field" in parsed

/** The names kept changing during the request, because other people edited them too. */
const changedMeanwhile = () => Effect.fail(new PageRefused({ status: 409, words: null }))

type Edit = ReturnType<typeof add>
type Services = Effect.Services<Edit>

/** A form that edits names. */
interface Editor {
  readonly typed: TypedNames
  /** The current names as text; read again when the form is stored. */
  readonly read: Effect.Effect<string, StoreError, Services>
  readonly change: (names: Names) => NamesChange
  readonly save: (names: Names) => Effect.Effect<DoneCode, Effect.Error<Edit>, Services>
  readonly page: (form: NamesForm, preview: NamesPreview | null) => Html
  /** The field that shows the error if the rules refuse a name. */
  readonly refusedField: keyof TypedNames
}

/**
 * Previews the effect of the typed names, or stores them: only once, and only if the current names are still those that
 * the form showed.
 */
const answerForm = Effect.fnUntraced(
  function*(request: OrganizationRequest, { change, page, read, refusedField, save, typed }: Editor) {
    const { form, organization, window } = request
    const make = Effect.fnUntraced(function*(
      options: Partial<Pick<NamesForm, "changed" | "refused">>,
      preview: NamesPreview | null = null
    ) {
      return page(yield* makeForm(typed, yield* read, options), preview)
    })
    const refuse = ({ field, message }: RefusedNames) =>
      replyWithPage(make({ refused: { field: field === "name" ? refusedField : field, message } }), { status: 422 })
    const refuseName = ({ message }: Rejected) => refuse({ field: "name", message })
    const parsed = parseNames(typed)
    if (isRefused(parsed)) return yield* refuse(parsed)
    if (form.get("step") === "preview") {
      const changed = !isAsSeen(request, yield* read)
      return yield* previewNames(organization.id, window, change(parsed)).pipe(
        Effect.flatMap((preview: NamesPreview) => replyWithPage(make({ changed }, preview))),
        Effect.catchTag("Rejected", refuseName)
      )
    }
    return yield* submitForm(request, {
      read,
      edit: save(parsed),
      to: "/competitors",
      done: (code) => code,
      changed: make({ changed: true })
    }).pipe(Effect.catchTag("Rejected", refuseName))
  },
  Effect.catchTags({ NotReady: () => Effect.fail(noSuchPage), TrackedSetChanged: changedMeanwhile })
)

/** The tracked names; null if no brand is set. */
const findNames = ({ organization: { id } }: OrganizationRequest) =>
  readTrackedSet(id).pipe(Effect.catchTag("NotReady", () => Effect.succeed(null)))

/** POST /o/{slug}/competitors: without a brand, redirects to the form of the brand. */
export const addCompetitor = Effect.fnUntraced(function*(request: OrganizationRequest) {
  if ((yield* findNames(request)) === null) {
    return redirectTo(request, "/competitors/brand", "brand-first")
  }
  return yield* answerForm(request, {
    typed: readTyped(request),
    read: Effect.succeed(nothingYet),
    change: ({ aliases, context, domains, name }) => ({
      kind: "competitor",
      competitor: { aliases, context, domains, name },
      replace: false
    }),
    save: (names) =>
      Effect.map(
        add(request.organization.id, names),
        ({ before, changed }) =>
          before === null ? "competitor-added" : changed ? "competitor-changed" : "names-unchanged"
      ),
    page: (form, preview) => newCompetitorPage(request.frame, form, preview),
    refusedField: "name"
  })
})

/**
 * GET /o/{slug}/competitors/suggestions/accept: shows the effect of tracking the name in the query, and the form that
 * adds it.
 */
export const showAcceptance = Effect.fnUntraced(function*(request: OrganizationRequest) {
  const { frame, organization: { id, slug }, query, window } = request
  const name = query.get("name") ?? ""
  if (!isName(name)) return seeOther(inOrganization(slug, "/competitors"))
  const typed = { ...noNames, name }
  const { answers } = yield* planMeasuring(id, {})
  return yield* previewNames(id, window, {
    kind: "competitor",
    competitor: { name, aliases: [], domains: [] },
    replace: false
  }).pipe(
    Effect.flatMap((preview: NamesPreview) =>
      Effect.map(makeForm(typed, nothingYet), (form) => showPage(acceptPage(frame, form, preview, answers)))
    ),
    Effect.catchTag("Rejected", ({ message }: Rejected) =>
      Effect.map(
        makeForm(typed, nothingYet, { refused: { field: "name", message } }),
        (form) => showPage(acceptPage(frame, form, null, answers), { status: 422 })
      ))
  )
}, Effect.catchTag("NotReady", () => Effect.fail(noSuchPage)))

/** GET /o/{slug}/competitors/brand */
export const showBrand = Effect.fnUntraced(function*(request: OrganizationRequest) {
  const names = yield* findNames(request)
  const form = names === null ? emptyForm : makeForm(toTypedNames(names.brand), namesText(names.brand))
  return showPage(brandPage(request.frame, yield* form))
})

/** POST /o/{slug}/competitors/brand */
export const changeBrand = (request: OrganizationRequest) =>
  answerForm(request, {
    typed: readTyped(request),
    read: Effect.map(findNames(request), (names) => namesText(names?.brand ?? null)),
    change: (brand) => ({ kind: "brand", brand }),
    save: (brand) =>
      Effect.map(setBrand(request.organization.id, brand), ({ changed }) => changed ? "brand-set" : "names-unchanged"),
    page: (form, preview) => brandPage(request.frame, form, preview),
    refusedField: "name"
  })

const readId = (request: OrganizationRequest) => readParam(request, CompetitorId)

/** The competitor in the path, if it is still tracked. */
const findCompetitor = Effect.fnUntraced(function*(request: OrganizationRequest) {
  const id = yield* readId(request)
  const names = yield* findNames(request)
  return names?.competitors.find((one) => one.id === id) ?? (yield* noSuchPage)
})

/** The competitor as text, so that a form can detect whether somebody has changed it. */
const readCompetitor = (request: OrganizationRequest, id: CompetitorId) =>
  Effect.map(
    findNames(request),
    (names) => namesText(names?.competitors.find((one) => one.id === id) ?? null)
  )

/** GET /o/{slug}/competitors/{id} */
export const showCompetitor = Effect.fnUntraced(function*(request: OrganizationRequest) {
  const found: Competitor = yield* findCompetitor(request)
  return showPage(competitorPage(request.frame, found, yield* makeForm(toTypedNames(found), namesText(found))))
})

/** POST /o/{slug}/competitors/{id} */
export const changeCompetitor = Effect.fnUntraced(function*(request: OrganizationRequest) {
  const found: Competitor = yield* findCompetitor(request)
  const { id, name } = found
  return yield* answerForm(request, {
    typed: { ...readTyped(request), name, excludes: "" },
    read: readCompetitor(request, id),
    change: ({ aliases, context, domains, name }) => ({
      kind: "competitor",
      competitor: { aliases, context, domains, name },
      replace: true
    }),
    save: (names) =>
      Effect.map(
        add(request.organization.id, names, { replace: true }),
        ({ changed }) => changed ? "competitor-changed" : "names-unchanged"
      ),
    page: (form, preview) => competitorPage(request.frame, { id, name }, form, preview),
    // The form has no name field, so a conflict with another competitor's spelling is reported here
    refusedField: "aliases"
  })
})

const makeRemovalPage = Effect.fnUntraced(function*(request: OrganizationRequest, changed: boolean) {
  const { frame, organization, window } = request
  const competitor: Competitor = yield* findCompetitor(request)
  const preview = yield* previewNames(organization.id, window, { kind: "removal", id: competitor.id })
  return removeCompetitorPage(frame, { competitor, preview, changed, formId: yield* makeFormId })
})

/** GET /o/{slug}/competitors/{id}/remove */
export const showRemoval = (request: OrganizationRequest) =>
  replyWithPage(makeRemovalPage(request, false)).pipe(Effect.catchTag("NotReady", () => Effect.fail(noSuchPage)))

/** POST /o/{slug}/competitors/{id}/remove: refused if the competitor has changed since the page was opened. */
export const removeCompetitor = Effect.fnUntraced(function*(request: OrganizationRequest) {
  const id = yield* readId(request)
  return yield* submitForm(request, {
    read: readCompetitor(request, id),
    edit: remove(request.organization.id, id),
    to: "/competitors",
    done: () => "competitor-removed",
    changed: makeRemovalPage(request, true)
  })
}, Effect.catchTags({ NotReady: () => Effect.fail(noSuchPage), TrackedSetChanged: changedMeanwhile }))
