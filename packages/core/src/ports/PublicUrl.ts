/** PublicUrl is the scheme and host under which people reach the dashboard; links in e-mails begin with it. */
import { Context } from "effect"

/** The address without a trailing slash; null if the operator set no address, in which case e-mails contain no link. */
export const PublicUrl = Context.Reference<string | null>("@sov/core/ports/PublicUrl", { defaultValue: () => null })
