import { to } from "../Address.ts"
import { parseNext } from "./cookies.ts"
import { type PageReply, seeOther } from "./Reply.ts"

/** Redirects a visitor without a session to the sign-in page; `asked` is the page to return to, or null. */
export const redirectToSignIn = (asked: string | null): PageReply => seeOther(to("/login", { next: parseNext(asked) }))
