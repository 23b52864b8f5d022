import { Effect } from "effect"
import type { OrganizationId } from "../../domain/ids.ts"
import { makeEndedMailId, renderUnusableMail, type WhyUnusable } from "../../domain/platforms/unusableMail.ts"
import type { AnswerPlatform } from "../../ports/AnswerPlatform.ts"
import { OrganizationStore } from "../../ports/OrganizationStore.ts"
import { queueMail } from "../mail/queueMail.ts"
import { now } from "../now.ts"

/**
 * Reports that a platform's account has no credit, or that its API or model has ended: in the log, and by e-mail to the
 * organization's recipients, at most once a day.
 */
export const reportUnusable = Effect.fn("reportUnusable")(
  function*(organizationId: OrganizationId, platform: AnswerPlatform, why: WhyUnusable) {
    yield* Effect.logWarning(`${why.message}; all open questions of ${platform.id} in this scan fail`)
    const at = yield* now
    const organization = yield* (yield* OrganizationStore).find(organizationId)
    const content = renderUnusableMail(platform, why, organization?.name ?? "")
    const id = makeEndedMailId(organizationId, platform, at, why.reason)
    yield* queueMail(organizationId, { ...content, id, createdAt: at })
  }
)
