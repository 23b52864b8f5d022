/** Platforms: how each does, what it costs, and a test of one. */
import {
  type AnswerPlatform,
  isOperator,
  listPlatforms,
  monotonicMs,
  probeQuestion,
  readPlatformHealth,
  testPlatform
} from "@sov/core"
import { Effect, Result } from "effect"
import { noSuchPage } from "../guard/PageRefused.ts"
import type { OrganizationRequest } from "../guard/PageRequest.ts"
import { showPage } from "../guard/Reply.ts"
import { type PlatformsContent, platformsPage, type TestResult } from "../pages/platforms.ts"
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
export const showPlatforms = Effect.fnUntraced(function*(request: OrganizationRequest) {
  return showPage(platformsPage(request.frame, yield* readContent(request, null)))
})

const probe = Effect.fnUntraced(function*(request: OrganizationRequest, platform: AnswerPlatform) {
  const begun = yield* monotonicMs
  const result = yield* Effect.result(testPlatform(request.organization.id, platform, probeQuestion))
  if (Result.isFailure(result) && result.failure._tag === "StoreError") return yield* result.failure
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

/** POST /o/{slug}/settings/platforms/{id}/test: asks it one question now, and shows the answer. */
export const testNow = Effect.fnUntraced(function*(request: OrganizationRequest) {
  const platform = (yield* listPlatforms()).find(({ id }) => id === request.params["id"])
  if (platform === undefined) return yield* noSuchPage
  yield* requireOperator(request, "Platforms are tested")
  return showPage(platformsPage(request.frame, yield* readContent(request, yield* probe(request, platform))))
})
