import { Effect } from "effect"
import type { OrganizationId } from "../../domain/ids.ts"
import type { AnswerPlatform } from "../../ports/AnswerPlatform.ts"
import { runActs } from "../audit/recordActs.ts"
import { probePlatform } from "./probePlatform.ts"
import { recordCredit } from "./recordCredit.ts"

/**
 * Asks a platform one question on behalf of the organization. The call costs as much as an answer of a scan, but
 * nothing is archived. The act is recorded before the call, so that a form that is sent twice asks once, and every call
 * has an entry. An answer ends the pause of an account that had no credit. Fails with the PlatformError of a failed
 * call.
 */
export const testPlatform = Effect.fn("testPlatform")(
  function*(organizationId: OrganizationId, platform: AnswerPlatform, prompt: string) {
    yield* runActs(organizationId, Effect.void, () => [
      { action: "platform.tested", subjectId: organizationId, detail: { platform: platform.id } }
    ])
    const probed = yield* probePlatform(platform, prompt)
    yield* recordCredit(platform)
    return probed
  }
)
