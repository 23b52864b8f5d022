/** Sets up an organization in the browser, for the operator and for owners whom the operator allows it. */
import { Name } from "@sov/core/organizations"
import { listMemberships, setUpOrganization } from "@sov/core/people"
import { DomainName, TrackingFile } from "@sov/core/tracking"
import { Effect, Result, Schema } from "effect"
import { PageRefused } from "../guard/PageRefused.ts"
import type { PersonRequest } from "../guard/PageRequest.ts"
import { seeOther, showPage } from "../guard/Reply.ts"
import type { Faults } from "../pages/forms.ts"
import { inOrganization } from "../pages/sections.ts"
import { emptySetup, type SetupField, setupFields, setupPage, type TypedSetup } from "../pages/setup.ts"
import { distinctLines, readTexts } from "./forms.ts"
import { findQuestionsFault } from "./keywords.ts"
import { domainOf } from "./names.ts"
import { requireMayCreate } from "./requireMayCreate.ts"

const isName: (text: string) => boolean = Schema.is(Name)
const isDomain: (text: string) => boolean = Schema.is(DomainName)
const toTracking = Schema.decodeSync(TrackingFile)

/** The content of the form, or what is wrong with each field. */
const parseSetup = (typed: TypedSetup): Result.Result<TrackingFile, Faults<SetupField>> => {
  const [brand, aliases, domains, competitors, keywords] = [
    typed.brand.trim(),
    distinctLines(typed.aliases),
    [...new Set(distinctLines(typed.domains).map(domainOf))],
    distinctLines(typed.competitors),
    distinctLines(typed.keywords)
  ]
  const faults: { -readonly [field in SetupField]?: string } = {}
  if (!isName(brand)) faults.brand = "Enter a name of 1–200 characters, without control characters."
  for (const [field, lines] of [["aliases", aliases], ["competitors", competitors]] as const) {
    const wrong = lines.find((line) => !isName(line))
    if (wrong !== undefined) faults[field] = `“${wrong.slice(0, 80)}” is not a name of 1–200 characters.`
  }
  const wrongDomain = domains.find((line) => !isDomain(line))
  if (wrongDomain !== undefined) {
    faults.domains = `“${wrongDomain.slice(0, 80)}” is not a domain such as acme.com (without https:// or a path).`
  }
  const lower = (name: string) => name.toLowerCase()
  const own = new Set([brand, ...aliases].map(lower))
  const rival = competitors.find((name, i) =>
    own.has(lower(name)) || competitors.slice(0, i).some((other) => lower(other) === lower(name))
  )
  if (rival !== undefined && isName(rival)) {
    faults.competitors = `“${rival}” ${
      own.has(lower(rival)) ? "is a name of the brand too" : "is listed twice"
    }. Remove it.`
  }
  const questionsFault = findQuestionsFault(keywords)
  if (questionsFault !== null) faults.keywords = questionsFault
  return Object.keys(faults).length > 0 ? Result.fail(faults) : Result.succeed(toTracking({
    brand: { name: brand, aliases, domains },
    competitors: competitors.map((name) => ({ name })),
    keywords: keywords.map((text) => ({ text }))
  }))
}

/** GET /setup */
export const showSetup = Effect.fnUntraced(function*(request: PersonRequest) {
  yield* requireMayCreate(request)
  return showPage(setupPage(emptySetup, {}, request.theme))
})

/**
 * POST /setup: creates the organization. A form sent twice redirects to the organization that the first request
 * created, even if the person may not create another one.
 */
export const setUp = Effect.fnUntraced(function*(request: PersonRequest) {
  const { theme, visitor: { person } } = request
  const typed: TypedSetup = readTexts(request, setupFields, { trim: false })
  // Read again, because a second copy of the form may have created it since this request began
  const openOwn = Effect.map(listMemberships(person.id), (memberships) => {
    const own = memberships.find(({ organization }) => organization.name === typed.brand.trim())
    return own === undefined ? null : seeOther(inOrganization(own.organization.slug, ""))
  })
  const allowed = yield* Effect.result(requireMayCreate(request))
  if (Result.isFailure(allowed)) return (yield* openOwn) ?? (yield* Effect.fail(allowed.failure))
  const refuse = (faults: Faults<SetupField>) => showPage(setupPage(typed, faults, theme), { status: 422 })
  const parsed = parseSetup(typed)
  if (Result.isFailure(parsed)) return refuse(parsed.failure)
  const tracking = parsed.success
  const { name } = tracking.brand
  const made = yield* Effect.result(setUpOrganization(person, { name, tracking }, allowed.success))
  if (Result.isSuccess(made)) return seeOther(inOrganization(made.success.slug, ""))
  const { failure } = made
  if (failure._tag === "Rejected") return (yield* openOwn) ?? refuse({ brand: failure.message })
  if (failure._tag === "TrackedSetChanged") return yield* new PageRefused({ status: 409, words: null })
  if (failure._tag !== "OrganizationExists") return yield* Effect.fail(failure)
  return (yield* openOwn) ??
    refuse({ brand: "An organization with this name, or with the same address, already exists." })
})
