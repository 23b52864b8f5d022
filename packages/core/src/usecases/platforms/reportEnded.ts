import { Effect } from "effect"
import type { OrganizationId } from "../../domain/ids.ts"
import { makeEndedMailId, renderEndedMail } from "../../domain/platforms/endedMail.ts"
import type { AnswerPlatform } from "../../ports/AnswerPlatform.ts"
import { OrganizationStore } from "../../ports/OrganizationStore.ts"
import { queueMail } from "../mail/queueMail.ts"
import { now } from "../now.ts"

/**
 * Reports that a platform's API or model has ended: in the log, and by e-mail to the organization's recipients, at most
 * once a day.
 */
export const reportEnded = Effect.fn("reportEnded")(
  function*(organizationId: OrganizationId, platform: AnswerPlatform, message: string) {
    yield* Effect.logWarning(`${message}; all open questions of ${platform.id} in this scan fail`)
    const at = yield* now
    const organization = yield* (yield* OrganizationStore).find(organizationId)
    const content = renderEndedMail(platform, message, organization?.name ?? "")
    yield* queueMail(organizationId, { ...content, id: makeEndedMailId(organizationId, platform, at), createdAt: at })
  }
)
