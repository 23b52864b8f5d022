/** Share links: creating, listing and revoking them, and the report that a link shows. */
import { makeFormId, runOnce } from "@sov/core/audit"
import { dateBound, type ShareLinkRefused } from "@sov/core/common"
import { historyWindowAt } from "@sov/core/organizations"
import { findShownMentions, readReport } from "@sov/core/reports"
import {
  createShareLink,
  defaultShareDays,
  findActiveShareLink,
  listShareLinks,
  maxShareDays,
  maxShareName,
  openShareLink,
  revokeShareLink,
  shareLinkJson
} from "@sov/core/sharing"
import { Effect } from "effect"
import { noSuchPage, PageRefused } from "../guard/PageRefused.ts"
import type { OrganizationRequest, PageRequest } from "../guard/PageRequest.ts"
import { columnsOf, sendCsv, sendDocument, showPage } from "../guard/Reply.ts"
import type { PackedDocument } from "../guard/sharedReports.ts"
import {
  emptyShareInput,
  revokeShareLinkPage,
  shareDayChoices,
  type ShareLinksContent,
  shareLinksPage,
  shareList
} from "../pages/shareLinks.ts"
import { describePage, makeReportFile } from "../report/makeReportFile.ts"
import { readFormId, readText } from "./forms.ts"
import { readListView } from "./listView.ts"
import { redirectTo, replyWithPage } from "./replies.ts"

const makePage = Effect.fnUntraced(function*(
  request: OrganizationRequest,
  given: Partial<Pick<ShareLinksContent, "formId" | "input" | "faults" | "made">> = {}
) {
  const { frame, organization, serverUrl } = request
  return shareLinksPage(frame, {
    view: yield* readListView(request, shareList),
    links: yield* listShareLinks(organization.id),
    serverUrl,
    formId: yield* makeFormId,
    input: emptyShareInput,
    faults: {},
    made: null,
    ...given
  })
})

/** GET /o/{slug}/settings/shares?q=&sort= */
export const showShareLinks = (request: OrganizationRequest) => replyWithPage(makePage(request))

type Line = ReturnType<typeof shareLinkJson>

/** GET /o/{slug}/settings/shares.csv */
export const downloadShareLinks = Effect.fnUntraced(function*({ at, organization }: OrganizationRequest) {
  const links = (yield* listShareLinks(organization.id)).map((link) => shareLinkJson(link, at))
  const columns = columnsOf<Line>(
    "id",
    "name",
    "from",
    "to",
    "with_answers",
    "state",
    "created_at",
    "expires_at",
    "revoked_at",
    "last_used_at"
  )
  return sendCsv<Line>("share-links.csv", columns, links)
})

const path = "/settings/shares"

const day = "Enter a day such as 2026-11-01, or leave the field empty."

/**
 * POST /o/{slug}/settings/shares: creates a link, which is shown only in this response. Sending a form again creates no
 * second link.
 */
export const makeShareLink = Effect.fnUntraced(function*(request: OrganizationRequest) {
  const { form, organization } = request
  const formId = yield* readFormId(request)
  const input = {
    name: readText(request, "name"),
    from: readText(request, "from"),
    to: readText(request, "to"),
    days: form.get("days") ?? String(defaultShareDays),
    answers: form.get("answers") === "yes"
  }
  const [from, to] = [
    input.from === "" ? null : dateBound(input.from, "from"),
    input.to === "" ? null : dateBound(input.to, "to")
  ]
  const faults = {
    ...input.name !== "" && input.name.length <= maxShareName
      ? {}
      : { name: `Enter who the link is for, in 1 to ${maxShareName} characters.` },
    ...input.from === "" || from !== null ? {} : { from: day },
    ...input.to === "" || to !== null ? {} : { to: day },
    ...from !== null && to !== null && from > to ? { to: "The period must end after it begins." } : {},
    ...shareDayChoices.some(([value]) => value === input.days)
      ? {}
      : { days: `Choose when the link expires: at most ${maxShareDays} days.` }
  }
  if (Object.keys(faults).length > 0) {
    return yield* replyWithPage(makePage(request, { formId, input, faults }), { status: 422 })
  }
  const create = createShareLink(organization.id, {
    name: input.name,
    from,
    to,
    withAnswers: input.answers,
    days: Number(input.days)
  })
  return yield* runOnce(organization.id, formId, create).pipe(
    Effect.flatMap((made) => replyWithPage(makePage(request, { made }), { secret: true })),
    Effect.catchTags({
      DoneBefore: () => Effect.succeed(redirectTo(request, path, "share-made-before")),
      Rejected: ({ message }) =>
        replyWithPage(makePage(request, { formId, input, faults: { name: message } }), { status: 422 })
    })
  )
})

const findLink = Effect.fnUntraced(function*({ organization, params }: OrganizationRequest) {
  const found = (yield* listShareLinks(organization.id)).find(({ id }): boolean => id === params["id"])
  return found ?? (yield* noSuchPage)
})

/** GET /o/{slug}/settings/shares/{id}/revoke */
export const showRevokeShareLink = Effect.fnUntraced(function*(request: OrganizationRequest) {
  const [link, formId] = [yield* findLink(request), yield* makeFormId]
  return showPage(revokeShareLinkPage(request.frame, { link, formId }))
})

/** POST /o/{slug}/settings/shares/{id}/revoke: succeeds even if the link is already revoked. */
export const endShareLink = Effect.fnUntraced(function*(request: OrganizationRequest) {
  const { organization } = request
  const [link, formId] = [yield* findLink(request), yield* readFormId(request)]
  return yield* runOnce(organization.id, formId, revokeShareLink(organization.id, link.id)).pipe(
    Effect.catchTag("DoneBefore", () => Effect.void),
    Effect.as(redirectTo(request, path, "share-revoked"))
  )
})

const linkEnded = new PageRefused({
  status: 410,
  words: "This link no longer works. Ask the person who sent it for a new one."
})

const nothingYet = new PageRefused({
  status: 404,
  words: "No scan in this period has a score yet. The link works: try again later."
})

/**
 * Maximum UTF-16 units of all answer texts in a report, over all its scans: about a thousand answers of usual length.
 * Generating the page takes about 0.2 s of CPU time per million units.
 */
const maxShownText = 4_194_304

const tooLong = new PageRefused({
  status: 422,
  words:
    "The answers of this report are too long for a page. The person who created the link can send a file instead: sov report --with-answers."
})

const orLinkEnded = <A, E, R>(open: Effect.Effect<A, E | ShareLinkRefused, R>) =>
  Effect.catchTag(open, "ShareLinkRefused", () => Effect.fail(linkEnded))

/** Sends the report of a link, or refuses if the report is too long (null). */
const sendShared = (report: PackedDocument | null) =>
  report === null ? Effect.fail(tooLong) : Effect.succeed(sendDocument(report))

const unreadable = new PageRefused({
  status: 503,
  words: "An answer of this report could not be read in time. Try again in a minute."
})

/**
 * GET /share/{token}: shows the report to anyone who has the link. Each request asks the database whether the link is
 * still valid, so a revoked link stops working at once. A link whose period is outside the plan's history gets the same
 * response, because the plan does not concern its reader.
 */
export const showShared = Effect.fnUntraced(function*(request: PageRequest) {
  const { at, params, platformLabels, sharedReports } = request
  const token = params["token"] ?? ""
  const { link, organization } = yield* orLinkEnded(openShareLink(token))
  request.tokenIsKnown()
  const kept = yield* sharedReports.findKept(organization.id, link.id)
  if (kept !== null) return yield* sendShared(kept.document)
  const make = Effect.gen(function*() {
    const { evidence, figures, logo } = yield* readReport(organization, historyWindowAt(organization, at), {
      from: link.from,
      to: link.to,
      answers: link.withAnswers,
      maxText: maxShownText,
      title: null,
      locale: null,
      logo: null,
      labels: platformLabels,
      configured: null,
      page: describePage()
    })
    return makeReportFile(evidence, figures, logo, yield* findShownMentions(evidence))
  }).pipe(
    Effect.catchTags({
      Rejected: ({ field }) => field === "answers" ? Effect.succeed(null) : Effect.fail(nothingYet),
      AnalysisError: () => Effect.fail(unreadable),
      OutsideWindow: () => Effect.fail(linkEnded),
      NoCompletedScan: () => Effect.fail(nothingYet),
      NoScore: () => Effect.fail(nothingYet)
    })
  )
  const report = yield* sharedReports.find(organization.id, link.id, make)
  // The link may have been revoked while the report was generated
  yield* orLinkEnded(findActiveShareLink(token))
  return yield* sendShared(report)
})
