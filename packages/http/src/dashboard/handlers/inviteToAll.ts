/** Invites one person to several of the visitor's organizations at once. */
import { makeFormId, runOnce } from "@sov/core/audit"
import type { AuditEntryId } from "@sov/core/common"
import { EmailAddress } from "@sov/core/mail"
import { Name } from "@sov/core/organizations"
import { inviteToAll, Role } from "@sov/core/people"
import { Effect, Schema } from "effect"
import { noSuchPage, PageRefused } from "../guard/PageRefused.ts"
import type { PersonRequest } from "../guard/PageRequest.ts"
import { showPage } from "../guard/Reply.ts"
import { type InviteContent, inviteToAllPage } from "../pages/inviteToAll.ts"
import { readChoice, readFormId, readText } from "./forms.ts"
import { noPublicAddress } from "./members.ts"
import { listOwned } from "./requireMayCreate.ts"

const emptyForm: InviteContent["typed"] = { email: "", name: "", role: "viewer", slugs: [] }

const makePage = (
  request: PersonRequest,
  formId: AuditEntryId,
  given: Partial<Pick<InviteContent, "faults" | "invited" | "typed">> = {}
) =>
  inviteToAllPage({
    formId,
    owned: listOwned(request),
    typed: emptyForm,
    faults: {},
    invited: null,
    theme: request.theme,
    ...given
  })

/** GET /portfolio/invite: for people who own an organization. */
export const showInvite = Effect.fnUntraced(function*(request: PersonRequest) {
  if (listOwned(request).length === 0) return yield* noSuchPage
  return showPage(makePage(request, yield* makeFormId))
})

const isEmailAddress = Schema.is(EmailAddress)
const isName = Schema.is(Name)

const sentBefore = new PageRefused({
  status: 409,
  words: "This form was already submitted, and the invitation was made. Look at the members of each organization."
})

/** POST /portfolio/invite: adds the member to all chosen organizations, or to none if one of them fails. */
export const invite = Effect.fnUntraced(function*(request: PersonRequest) {
  const { form, origin } = request
  const owned = listOwned(request)
  const formId = yield* readFormId(request)
  const typed = {
    email: readText(request, "email"),
    name: readText(request, "name"),
    role: yield* readChoice(request, "role", Role),
    slugs: form.getAll("organization")
  }
  const [first, ...others] = owned.filter(({ slug }) => typed.slugs.includes(slug))
  const known = typed.slugs.every((slug) => owned.some((one) => one.slug === slug))
  const refuse = (faults: InviteContent["faults"]) =>
    showPage(makePage(request, formId, { typed, faults }), { status: 422 })
  const { email, name, role } = typed
  if (!isEmailAddress(email)) return refuse({ email: "Enter a valid e-mail address." })
  if (name !== "" && !isName(name)) return refuse({ name: "Enter a name of 1 to 200 visible characters." })
  if (first === undefined || !known) return refuse({ organizations: "Choose organizations that you own." })
  if (origin === null) return yield* noPublicAddress
  const ids = [first.id, ...others.map(({ id }) => id)] as const
  const invitation = { email, name: name === "" ? undefined : name, role, origin }
  return yield* runOnce(first.id, formId, inviteToAll(ids, invitation)).pipe(
    Effect.flatMap(({ mailError, members, ...sent }) =>
      Effect.map(makeFormId, (next) => {
        const shown = members.find(({ added }) => added) ?? members[0]!
        const member = { ...sent, ...shown, mailFault: mailError?.message ?? null }
        const places = [first, ...others].map((one, n) => ({ ...one, added: members[n]!.added }))
        return showPage(makePage(request, next, { invited: { member, to: places } }), { secret: true })
      })
    ),
    Effect.catchTags({
      DoneBefore: () => Effect.fail(sentBefore),
      PersonExists: () => Effect.fail(new PageRefused({ status: 409, words: null })),
      Rejected: ({ message }) => Effect.succeed(refuse({ email: message }))
    })
  )
})
