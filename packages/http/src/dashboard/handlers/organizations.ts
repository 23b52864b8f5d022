/** All organizations, for the operator of the installation. */
import { makeFormId, runOnce } from "@sov/core/audit"
import {
  deletionDueAt,
  findOrganization,
  listDeletionRequests,
  readUsage,
  resumeOrganization,
  suspendOrganization,
  usageCsv
} from "@sov/core/organizations"
import { Effect } from "effect"
import { to } from "../Address.ts"
import { PageRefused } from "../guard/PageRefused.ts"
import type { PersonRequest } from "../guard/PageRequest.ts"
import { readSeparator } from "../guard/place.ts"
import { seeOther, sendFile, showPage } from "../guard/Reply.ts"
import { organizationList, organizationsPage } from "../pages/organizations.ts"
import { readFormId, readText } from "./forms.ts"
import { readListView } from "./listView.ts"
import { requireOperator } from "./requireOperator.ts"

const act = "Organizations are managed"

const sentences: { readonly [code: string]: string } = {
  suspended: "The organization is suspended: its results can be read, and no scan starts.",
  resumed: "The organization may scan again.",
  before: "This form was already submitted. Nothing was done twice."
}

/** GET /organizations?q=&sort=&page= */
export const showOrganizations = Effect.fnUntraced(function*(request: PersonRequest) {
  yield* requireOperator(request, act)
  const { at, query, theme, visitor: { memberships } } = request
  const requests = yield* listDeletionRequests()
  return showPage(organizationsPage({
    view: yield* readListView(request, organizationList),
    usage: yield* readUsage(),
    opened: new Set(memberships.map(({ organization }) => organization.slug)),
    dueAt: new Map(requests.map((one) => [one.organizationId, deletionDueAt(one)])),
    formId: yield* makeFormId,
    done: sentences[query.get("done") ?? ""] ?? null,
    theme,
    at
  }))
})

/** GET /organizations/usage.csv */
export const downloadUsage = Effect.fnUntraced(function*(request: PersonRequest) {
  yield* requireOperator(request, act)
  const report = yield* readUsage()
  const separator = yield* readSeparator(request.query, request.chosen)
  return sendFile(`usage-${report.month}.csv`, "text/csv; charset=utf-8", usageCsv(report, separator))
})

const submit = Effect.fnUntraced(
  function*(request: PersonRequest, verb: "suspended" | "resumed") {
    yield* requireOperator(request, act)
    const formId = yield* readFormId(request)
    const { id } = yield* findOrganization(request.params["slug"] ?? "")
    const reason = readText(request, "reason")
    yield* runOnce(
      id,
      formId,
      verb === "suspended" ? suspendOrganization(id, reason === "" ? null : reason) : resumeOrganization(id)
    )
    return seeOther(to("/organizations", { done: verb }))
  },
  Effect.catchTags({
    DoneBefore: () => Effect.succeed(seeOther(to("/organizations", { done: "before" }))),
    Rejected: ({ message }) => Effect.fail(new PageRefused({ status: 422, words: `${message}.` }))
  })
)

/** POST /organizations/{slug}/suspend */
export const suspend = (request: PersonRequest) => submit(request, "suspended")

/** POST /organizations/{slug}/resume */
export const resume = (request: PersonRequest) => submit(request, "resumed")
