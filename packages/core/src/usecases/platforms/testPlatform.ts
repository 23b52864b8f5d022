import { Effect, Result } from "effect"
import type { OrganizationId } from "../../domain/ids.ts"
import type { AnswerPlatform } from "../../ports/AnswerPlatform.ts"
import { runActs } from "../audit/recordActs.ts"
import { probePlatform } from "./probePlatform.ts"

/**
 * Asks a platform one question for somebody of the organization, and records that it did: a call costs what an answer of a scan
 * costs, but nothing is archived. Fails with the PlatformError of a call that brought no answer.
 */
export const testPlatform = Effect.fn("testPlatform")(
  function*(organizationId: OrganizationId, platform: AnswerPlatform, prompt: string) {
    const result = yield* Effect.result(probePlatform(platform, prompt))
    const detail = { platform: platform.id, answered: Result.isSuccess(result) }
    yield* runActs(organizationId, Effect.void, () => [
      { action: "platform.tested", subjectId: organizationId, detail }
    ])
    return yield* Effect.fromResult(result)
  }
)
