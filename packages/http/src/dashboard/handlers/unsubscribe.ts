/** Stops digests through the link in a digest (RFC 8058). */
import { readUnsubscribeLink, unsubscribe } from "@sov/core/mail"
import { Effect } from "effect"
import { linkRefused } from "../guard/PageRefused.ts"
import type { PageRequest } from "../guard/PageRequest.ts"
import { showPage } from "../guard/Reply.ts"
import { unsubscribedPage, unsubscribePage } from "../pages/unsubscribe.ts"

const refuseLink = () => Effect.fail(linkRefused)

/** GET /unsubscribe/{token} shows a form and changes nothing, because mail scanners fetch every link. */
export const showUnsubscribe = Effect.fnUntraced(function*({ params, theme, tokenIsKnown }: PageRequest) {
  const token = params["token"] ?? ""
  const link = yield* readUnsubscribeLink(token)
  tokenIsKnown()
  const page = link.unsubscribedAt === null ? unsubscribePage(token, link, theme) : unsubscribedPage(link, theme)
  return showPage(page, { secret: true })
}, Effect.catchTag("LinkRefused", refuseLink))

/** POST /unsubscribe/{token}, sent by the form or a mail program; repeating it does no harm. */
export const endDigests = Effect.fnUntraced(function*({ params, theme }: PageRequest) {
  return showPage(unsubscribedPage(yield* unsubscribe(params["token"] ?? ""), theme), { secret: true })
}, Effect.catchTag("LinkRefused", refuseLink))
