/** Members: the list, invitations, roles and removal. */
import { makeFormId, runOnce } from "@sov/core/audit"
import { PersonId } from "@sov/core/common"
import { EmailAddress } from "@sov/core/mail"
import { Name } from "@sov/core/organizations"
import { inviteMember, listMembers, type Member, memberJson, removeMember, Role, setRole } from "@sov/core/people"
import { Effect, Result, Schema } from "effect"
import { to } from "../Address.ts"
import { PageRefused } from "../guard/PageRefused.ts"
import type { OrganizationRequest } from "../guard/PageRequest.ts"
import { columnsOf, type PageReply, seeOther, sendCsv } from "../guard/Reply.ts"
import type { DoneCode } from "../pages/done.ts"
import { memberList, type MembersContent, membersPage, removeMemberPage } from "../pages/members.ts"
import { isAsSeen, readChoice, readFormId, readParam, readText } from "./forms.ts"
import { readListView } from "./listView.ts"
import { redirectTo, replyWithPage } from "./replies.ts"

const path = "/settings/members"

const makePage = Effect.fnUntraced(function*(
  request: OrganizationRequest,
  given: Partial<Pick<MembersContent, "changed" | "invited" | "refused">> = {}
) {
  const { frame, organization, visitor } = request
  const members = yield* listMembers(organization.id)
  const view = yield* readListView(request, memberList)
  const content = { formId: yield* makeFormId, members, view, own: visitor.person.id }
  return membersPage(frame, { ...content, changed: null, invited: null, refused: null, ...given })
})

/** GET /o/{slug}/settings/members?q=&sort=&page= */
export const showMembers = (request: OrganizationRequest) => replyWithPage(makePage(request))

type Line = ReturnType<typeof memberJson>

/** GET /o/{slug}/settings/members.csv */
export const downloadMembers = Effect.fnUntraced(function*({ organization }: OrganizationRequest) {
  const columns = columnsOf<Line>("id", "name", "email", "role", "status", "created_at", "signed_in_at")
  return sendCsv<Line>("members.csv", columns, (yield* listMembers(organization.id)).map(memberJson))
})

const isEmailAddress = Schema.is(EmailAddress)
const isName = Schema.is(Name)

export const noPublicAddress = new PageRefused({
  status: 409,
  words:
    "Invitations are sent by e-mail and need this server's public address. Its operator needs to set SOV_PUBLIC_URL."
})

/**
 * POST /o/{slug}/settings/members: invites a member. If the link is not mailed, it is shown, only in this response.
 * Sending a form again creates no second invitation.
 */
export const invite = Effect.fnUntraced(function*(request: OrganizationRequest) {
  const { origin, organization } = request
  const formId = yield* readFormId(request)
  const typed = { email: readText(request, "email"), name: readText(request, "name") }
  const { email, name } = typed
  const role = yield* readChoice(request, "role", Role)
  const refuse = (field: "email" | "name", message: string) =>
    replyWithPage(makePage(request, { refused: { field, message, role, ...typed } }), { status: 422 })
  if (!isEmailAddress(email)) return yield* refuse("email", "Enter a valid e-mail address.")
  if (name !== "" && !isName(name)) return yield* refuse("name", "Enter a name of 1 to 200 visible characters.")
  if (origin === null) return yield* noPublicAddress
  const invitation = { email, name: name === "" ? undefined : name, role, origin }
  const outcome = yield* Effect.result(runOnce(organization.id, formId, inviteMember(organization.id, invitation)))
  if (Result.isFailure(outcome)) {
    const { failure } = outcome
    if (failure._tag === "DoneBefore") {
      return redirectTo(request, path, "invited-before")
    }
    if (failure._tag === "Rejected") return yield* refuse("email", failure.message)
    if (failure._tag === "PersonExists") return yield* new PageRefused({ status: 409, words: null })
    return yield* Effect.fail(failure)
  }
  const { mailError, ...invited } = outcome.success
  const given = { invited: { ...invited, mailFault: mailError?.message ?? null } }
  return yield* replyWithPage(makePage(request, given), { secret: true })
})

/** The member does not exist, or was removed by another owner or in another tab. */
const refuseUnknown = () =>
  new PageRefused({ status: 404, words: "This member no longer exists. Reload the list of members." })

const findMember = Effect.fnUntraced(function*({ organization, params }: OrganizationRequest) {
  const id = params["id"]
  const found = (yield* listMembers(organization.id)).find(({ person }): boolean => person.id === id)
  return found ?? (yield* refuseUnknown())
})

/** Redirects to the list, or, if visitors gave up their own ownership, to a page that they may still open. */
const comeBack = (request: OrganizationRequest, id: PersonId, role: Role | null, done: DoneCode): PageReply =>
  request.visitor.person.id !== id || role === "owner"
    ? redirectTo(request, path, done)
    : role === null
    ? seeOther(to("/"))
    : redirectTo(request, "", done)

/** An organization must keep at least one owner. */
const refuseLastOwner = ({ message }: { readonly message: string }) =>
  new PageRefused({ status: 409, words: `This is not possible: ${message}.` })

/** POST /o/{slug}/settings/members/{id}/role */
export const setMemberRole = Effect.fnUntraced(function*(request: OrganizationRequest) {
  const id = yield* readParam(request, PersonId)
  const role = yield* readChoice(request, "role", Role)
  const set = setRole(request.organization.id, id, role, (before) => isAsSeen(request, before))
  const done = (code: DoneCode) => comeBack(request, id, role, code)
  return yield* runOnce(request.organization.id, yield* readFormId(request), set).pipe(
    Effect.as(done("role-set")),
    Effect.catchTags({
      DoneBefore: () => Effect.succeed(done("sent-before")),
      ChangedMeanwhile: () =>
        Effect.flatMap(
          findMember(request),
          (changed) => replyWithPage(makePage(request, { changed }), { status: 409 })
        ),
      LastOwner: refuseLastOwner,
      NotFound: refuseUnknown
    })
  )
})

const makeRemovalPage = Effect.fnUntraced(function*(request: OrganizationRequest, changed: boolean) {
  const { frame, visitor } = request
  const member: Member = yield* findMember(request)
  return removeMemberPage(frame, member, { changed, formId: yield* makeFormId, own: visitor.person.id })
})

/** GET /o/{slug}/settings/members/{id}/remove */
export const showRemoveMember = (request: OrganizationRequest) => replyWithPage(makeRemovalPage(request, false))

/** POST /o/{slug}/settings/members/{id}/remove */
export const removeOrganizationMember = Effect.fnUntraced(function*(request: OrganizationRequest) {
  const id = yield* readParam(request, PersonId)
  const removed = removeMember(request.organization.id, id, (role) => isAsSeen(request, role))
  const done = (code: DoneCode) => comeBack(request, id, null, code)
  return yield* runOnce(request.organization.id, yield* readFormId(request), removed).pipe(
    Effect.as(done("member-removed")),
    Effect.catchTags({
      DoneBefore: () => Effect.succeed(done("sent-before")),
      ChangedMeanwhile: () => replyWithPage(makeRemovalPage(request, true), { status: 409 }),
      LastOwner: refuseLastOwner,
      NotFound: refuseUnknown
    })
  )
})
