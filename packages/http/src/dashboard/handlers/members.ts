/** Members: the list, invitations, roles and removal. */
import { makeFormId, runOnce } from "@sov/core/audit"
import { PersonId } from "@sov/core/common"
import { EmailAddress } from "@sov/core/mail"
import { Name } from "@sov/core/organizations"
import { inviteMember, listMembers, type Member, memberJson, removeMember, Role, setRole } from "@sov/core/people"
import { Effect, Result, Schema } from "effect"
import { to } from "../Address.ts"
import { noSuchPage, PageRefused } from "../guard/PageRefused.ts"
import type { OrganizationRequest } from "../guard/PageRequest.ts"
import { type Reply, seeOther, sendCsv, showPage } from "../guard/Reply.ts"
import type { DoneCode } from "../pages/done.ts"
import { type MembersContent, membersPage, removeMemberPage } from "../pages/members.ts"
import { inOrganization } from "../pages/sections.ts"
import { isAsSeen, readFormId, readText } from "./forms.ts"

const makePage = Effect.fnUntraced(function*(
  { frame, organization, visitor }: OrganizationRequest,
  given: Partial<Pick<MembersContent, "changed" | "invited" | "refused">> = {}
) {
  const members = yield* listMembers(organization.id)
  const content = { formId: yield* makeFormId, members, own: visitor.person.id }
  return membersPage(frame, { ...content, changed: null, invited: null, refused: null, ...given })
})

/** GET /o/{slug}/settings/members */
export const showMembers = Effect.fnUntraced(function*(request: OrganizationRequest) {
  return showPage(yield* makePage(request))
})

/** GET /o/{slug}/settings/members.csv */
export const downloadMembers = Effect.fnUntraced(function*({ organization }: OrganizationRequest) {
  const reply: Reply = sendCsv("members.csv", {
    id: ({ id }) => id,
    name: ({ name }) => name,
    email: ({ email }) => email,
    role: ({ role }) => role,
    status: ({ status }) => status,
    created_at: ({ created_at }) => created_at,
    signed_in_at: ({ signed_in_at }) => signed_in_at
  }, (yield* listMembers(organization.id)).map(memberJson))
  return reply
})

const isEmailAddress = Schema.is(EmailAddress)
const isName = Schema.is(Name)
const isRole = Schema.is(Role)
const isPersonId = Schema.is(PersonId)

/**
 * POST /o/{slug}/settings/members: the answer shows the link where it is not mailed, this once. Sent again it makes no
 * other.
 */
export const invite = Effect.fnUntraced(function*(request: OrganizationRequest) {
  const { form, origin, organization } = request
  const formId = yield* readFormId(request)
  const typed = { email: readText(request, "email"), name: readText(request, "name") }
  const { email, name } = typed
  const role = form.get("role")
  if (!isRole(role)) return yield* new PageRefused({ status: 400, words: null })
  const refuse = (field: "email" | "name", message: string) =>
    Effect.map(
      makePage(request, { refused: { field, message, role, ...typed } }),
      (page) => showPage(page, { status: 422 })
    )
  if (!isEmailAddress(email)) return yield* refuse("email", "Enter a valid e-mail address.")
  if (name !== "" && !isName(name)) return yield* refuse("name", "Enter a name of 1 to 200 visible characters.")
  if (origin === null) {
    return yield* new PageRefused({
      status: 409,
      words:
        "Invitations are sent by e-mail and need this server's public address. Its operator needs to set SOV_PUBLIC_URL."
    })
  }
  const invitation = { email, name: name === "" ? undefined : name, role, origin }
  const outcome = yield* Effect.result(runOnce(organization.id, formId, inviteMember(organization.id, invitation)))
  if (Result.isFailure(outcome)) {
    const { failure } = outcome
    if (failure._tag === "DoneBefore") {
      return seeOther(inOrganization(organization.slug, "/settings/members", { done: "invited-before" }))
    }
    if (failure._tag === "Rejected") return yield* refuse("email", failure.message)
    if (failure._tag === "PersonExists") return yield* new PageRefused({ status: 409, words: null })
    return yield* Effect.fail(failure)
  }
  const { mailError, ...invited } = outcome.success
  const page = yield* makePage(request, { invited: { ...invited, mailFault: mailError?.message ?? null } })
  return showPage(page, { secret: true })
})

/** Another owner, or another tab, was faster; or there never was one. */
const refuseUnknown = () =>
  new PageRefused({ status: 404, words: "This member no longer exists. Reload the list of members." })

const findMember = Effect.fnUntraced(function*({ organization, params }: OrganizationRequest) {
  const id = params["id"]
  const found = (yield* listMembers(organization.id)).find(({ person }): boolean => person.id === id)
  return found ?? (yield* refuseUnknown())
})

/** The list again; or the first page that is left to somebody who took their own ownership away. */
const comeBack = (
  { organization: { slug }, visitor }: OrganizationRequest,
  id: PersonId,
  role: Role | null,
  done: DoneCode
): Reply =>
  visitor.person.id !== id || role === "owner"
    ? seeOther(inOrganization(slug, "/settings/members", { done }))
    : seeOther(role === null ? to("/") : inOrganization(slug, "", { done }))

/** An organization keeps an owner. */
const refuseLastOwner = ({ message }: { readonly message: string }) =>
  new PageRefused({ status: 409, words: `This is not possible: ${message}.` })

/** POST /o/{slug}/settings/members/{id}/role */
export const setMemberRole = Effect.fnUntraced(function*(request: OrganizationRequest) {
  const { form, organization, params } = request
  const id = params["id"]
  const role = form.get("role")
  if (!isPersonId(id)) return yield* noSuchPage
  if (!isRole(role)) return yield* new PageRefused({ status: 400, words: null })
  const set = setRole(organization.id, id, role, (before) => isAsSeen(request, before))
  const done = (code: DoneCode) => comeBack(request, id, role, code)
  return yield* runOnce(organization.id, yield* readFormId(request), set).pipe(
    Effect.as(done("role-set")),
    Effect.catchTags({
      DoneBefore: () => Effect.succeed(done("sent-before")),
      ChangedMeanwhile: () =>
        findMember(request).pipe(
          Effect.flatMap((changed) => makePage(request, { changed })),
          Effect.map((page) => showPage(page, { status: 409 }))
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
export const showRemoveMember = Effect.fnUntraced(function*(request: OrganizationRequest) {
  return showPage(yield* makeRemovalPage(request, false))
})

/** POST /o/{slug}/settings/members/{id}/remove */
export const remove = Effect.fnUntraced(function*(request: OrganizationRequest) {
  const id = request.params["id"]
  if (!isPersonId(id)) return yield* noSuchPage
  const { organization } = request
  const removed = removeMember(organization.id, id, (role) => isAsSeen(request, role))
  const done = (code: DoneCode) => comeBack(request, id, null, code)
  return yield* runOnce(organization.id, yield* readFormId(request), removed).pipe(
    Effect.as(done("member-removed")),
    Effect.catchTags({
      DoneBefore: () => Effect.succeed(done("sent-before")),
      ChangedMeanwhile: () => Effect.map(makeRemovalPage(request, true), (page) => showPage(page, { status: 409 })),
      LastOwner: refuseLastOwner,
      NotFound: refuseUnknown
    })
  )
})
