import { Effect } from "effect"
import type { OrganizationId } from "../../domain/ids.ts"
import type { AnswerPlatform } from "../../ports/AnswerPlatform.ts"
import { runActs } from "../audit/recordActs.ts"
import { probePlatform } from "./probePlatform.ts"

/**
 * Asks a platform one question for somebody of the organization: a call costs what an answer of a scan costs, but
 * nothing is archived. It is recorded before the platform is asked, so a form that asks for it twice asks once, and no
 * call is without its entry; how it went is not recorded. Fails with the PlatformError of a call that brought no
 * answer.
 */
export const testPlatform = Effect.fn("testPlatform")(
  function*(organizationId: OrganizationId, platform: AnswerPlatform, prompt: string) {
    yield* runActs(organizationId, Effect.void, () => [
      { action: "platform.tested", subjectId: organizationId, detail: { platform: platform.id } }
    ])
    return yield* probePlatform(platform, prompt)
  }
)
