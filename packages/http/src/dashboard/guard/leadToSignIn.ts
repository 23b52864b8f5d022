import { to } from "../Address.ts"
import { parseNext } from "./cookies.ts"
import { type Reply, seeOther } from "./Reply.ts"

/** Where somebody goes who is not signed in; `asked` is the page to come back to, null = none. */
export const leadToSignIn = (asked: string | null): Reply => seeOther(to("/login", { next: parseNext(asked) }))
