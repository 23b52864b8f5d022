/** The account of the signed-in person: theme, signed-in browsers, and ways to sign in. */
import { SessionId } from "@sov/core/common"
import {
  endOtherSessions as endOthers,
  endSession,
  listIdentities,
  listSessions,
  ownIssuers,
  removeIdentity
} from "@sov/core/people"
import { Effect } from "effect"
import { to } from "../Address.ts"
import { parseTheme } from "../guard/cookies.ts"
import { noSuchPage } from "../guard/PageRefused.ts"
import type { PersonRequest } from "../guard/PageRequest.ts"
import { formatsCookie, parseFormats } from "../guard/place.ts"
import { seeOther, showPage } from "../guard/Reply.ts"
import { accountPage } from "../pages/account.ts"
import { describeDone, type DoneCode } from "../pages/done.ts"
import { glossaryPage } from "../pages/glossary.ts"
import { removeIdentityPage } from "../pages/identities.ts"
import { readParam } from "./forms.ts"

const backToAccount = (done: DoneCode) => to("/account", { done })

/** GET /account */
export const showAccount = Effect.fnUntraced(
  function*({ at, chosen, mailOrigin, place, query, theme, visitor }: PersonRequest) {
    const { memberships, person, session } = visitor
    return showPage(accountPage({
      person,
      memberships,
      identities: yield* listIdentities(person.id),
      mails: mailOrigin !== null,
      sessions: yield* listSessions(person.id),
      current: session.id,
      theme,
      chosen,
      place,
      at,
      done: describeDone(query.get("done"))
    }))
  }
)

/** POST /account/theme */
export const setTheme = ({ form }: PersonRequest) =>
  Effect.succeed(seeOther(backToAccount("theme-set"), { theme: parseTheme(form.get("theme") ?? undefined) }))

/** POST /account/formats */
export const setFormats = ({ form }: PersonRequest) =>
  Effect.succeed(seeOther(backToAccount("formats-set"), { formats: formatsCookie(parseFormats(form)) }))

/** POST /account/sessions/{id}/end */
export const endOwnSession = Effect.fnUntraced(function*(request: PersonRequest) {
  yield* endSession(request.visitor.person.id, yield* readParam(request, SessionId))
  return seeOther(backToAccount("session-ended"))
})

/** POST /account/sessions/end */
export const endOtherSessions = Effect.fnUntraced(function*({ visitor: { person, session } }: PersonRequest) {
  yield* endOthers(person.id, session.id)
  return seeOther(backToAccount("sessions-ended"))
})

/** GET /account/identities/remove?issuer= */
export const showRemoveIdentity = Effect.fnUntraced(function*(request: PersonRequest) {
  const { mailOrigin, query, theme, visitor: { person } } = request
  const identity = (yield* listIdentities(person.id)).find(({ issuer }) => issuer === query.get("issuer"))
  if (identity === undefined || identity.issuer === ownIssuers.console) return yield* noSuchPage
  return showPage(removeIdentityPage({ person, identity, mails: mailOrigin !== null, theme }))
})

/** POST /account/identities/remove */
export const removeOwnIdentity = Effect.fnUntraced(function*({ form, visitor: { person, session } }: PersonRequest) {
  const identity = (yield* listIdentities(person.id)).find(({ issuer }) => issuer === form.get("issuer"))
  if (identity === undefined) return yield* noSuchPage
  yield* removeIdentity(person.id, identity.issuer, session.id)
  return seeOther(backToAccount("identity-removed"))
})

/** GET /glossary */
export const showGlossary = ({ theme }: PersonRequest) => Effect.succeed(showPage(glossaryPage(theme)))
