/** Platforms: the health and cost of each, and a test call. */
import { makeFormId, runOnce } from "@sov/core/audit"
import { monotonicMs } from "@sov/core/common"
import { isOperator } from "@sov/core/people"
import {
  type AnswerPlatform,
  listPlatforms,
  type PlatformError,
  probeQuestion,
  readPlatformHealth,
  testPlatform
} from "@sov/core/platforms"
import { Effect, Result } from "effect"
import { noSuchPage } from "../guard/PageRefused.ts"
import type { OrganizationRequest } from "../guard/PageRequest.ts"
import { type PlatformsContent, platformsPage } from "../pages/platforms.ts"
import type { TestResult } from "../pages/platformTest.ts"
import { readFormId } from "./forms.ts"
import { makeOverviewAfterTest } from "./overview.ts"
import { redirectTo, replyWithPage } from "./replies.ts"
import { requireOperator } from "./requireOperator.ts"

const readContent = Effect.fnUntraced(function*(request: OrganizationRequest, tested: TestResult | null) {
  const platforms = yield* listPlatforms()
  const reports = yield* readPlatformHealth(platforms.map((platform) => ({
    id: platform.id,
    simulated: platform.simulated,
    provider: platform,
    ...platform.prices === undefined ? {} : { prices: platform.prices }
  })))
  const content: PlatformsContent = {
    formId: yield* makeFormId,
    platforms: platforms.map((platform, i) => ({ platform, report: reports[i]! })),
    elsewhere: (request.configured ?? []).map(({ id }) => id).filter((id) =>
      !platforms.some((platform) => platform.id === id)
    ),
    operator: yield* isOperator(request.visitor.person.id),
    tested
  }
  return content
})

/** GET /o/{slug}/settings/platforms */
export const showPlatforms = (request: OrganizationRequest) =>
  replyWithPage(Effect.map(readContent(request, null), (content) => platformsPage(request.frame, content)))

const probe = Effect.fnUntraced(function*(request: OrganizationRequest, platform: AnswerPlatform) {
  const { organization: { id } } = request
  const begun = yield* monotonicMs
  // The audit entry is written before the call, so that a test without an answer is not mistaken for a repeated form
  const test = testPlatform(id, platform, probeQuestion).pipe(
    Effect.map(Result.succeed),
    Effect.catchTag("PlatformError", (error: PlatformError) => Effect.succeed(Result.fail(error)))
  )
  const result = yield* runOnce(id, yield* readFormId(request), test)
  const tested: TestResult = {
    platform: platform.id,
    tookMs: (yield* monotonicMs) - begun,
    ...Result.match(result, {
      onFailure: ({ message }) => ({ fault: message.replace(`${platform.id}: `, ""), answer: null }),
      onSuccess: ({ answer, missing, sources }) => ({
        fault: missing.length === 0 ? null : `the answer lacks ${missing.join(", ")}`,
        answer: { text: answer.text, model: answer.model, sources, costUsd: answer.usage.costUsd }
      })
    })
  }
  return tested
})

/** Whether the test was started from the steps to the first score. If so, they show the result. */
const isFromOverview = ({ form }: OrganizationRequest): boolean => form.get("back") === "overview"

const sentBefore = (request: OrganizationRequest) =>
  redirectTo(request, isFromOverview(request) ? "" : "/settings/platforms", "sent-before")

const makeTestedPage = Effect.fnUntraced(function*(request: OrganizationRequest, tested: TestResult) {
  const overview = isFromOverview(request) ? yield* makeOverviewAfterTest(request, tested) : null
  return overview ?? platformsPage(request.frame, yield* readContent(request, tested))
})

/** POST /o/{slug}/settings/platforms/{id}/test: asks the platform one question now, and shows the answer. */
export const testNow = Effect.fnUntraced(function*(request: OrganizationRequest) {
  const platform = (yield* listPlatforms()).find(({ id }) => id === request.params["id"])
  if (platform === undefined) return yield* noSuchPage
  yield* requireOperator(request, "Platforms are tested")
  return yield* probe(request, platform).pipe(
    Effect.flatMap((tested) => replyWithPage(makeTestedPage(request, tested))),
    Effect.catchTag("DoneBefore", () => Effect.succeed(sentBefore(request)))
  )
})
