/** PublicUrl is scheme and host under which people reach the dashboard: what links in e-mails begin with. */
import { Context } from "effect"

/** Without a slash at its end; null where the operator gave none, and then e-mails have no link. */
export const PublicUrl = Context.Reference<string | null>("@sov/core/ports/PublicUrl", { defaultValue: () => null })
