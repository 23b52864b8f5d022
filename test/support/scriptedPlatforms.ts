/** Platforms that respond as a test says, workers of one process that share work, and organizations with scans. */
import {
  type Answer,
  type AnswerPlatform,
  AnswerPlatforms,
  followScan,
  initialize,
  type OrganizationId,
  Placement,
  PlatformError,
  type PlatformId,
  type ScanId,
  ScanStore
} from "@sov/core"
import { Duration, Effect, Layer, Semaphore, Stream } from "effect"
import { deliveryServices } from "./webhooks.ts"

export const scriptedAnswer = (text: string): Answer => ({
  text,
  payload: Buffer.from(text),
  citations: [],
  model: "m",
  finish: "stop",
  usage: { inputTokens: 1, outputTokens: 2, costUsd: null },
  latencyMs: 5,
  simulated: false
})

export type Ask = AnswerPlatform["ask"]

export const scriptedPlatform = (id: PlatformId, ask: Ask, concurrency = 4): AnswerPlatform => ({
  id,
  adapter: "scripted",
  model: "m",
  simulated: false,
  concurrency,
  requestsPerMinute: null,
  timeout: Duration.seconds(10),
  ask
})

/** These platforms, and the services that a worker needs for deliveries. */
export const layerPlatforms = (...all: ReadonlyArray<AnswerPlatform>) =>
  Layer.merge(
    Layer.succeed(AnswerPlatforms, { all: new Map(all.map((one) => [one.id, one])), digest: "d" }),
    deliveryServices
  )

/** Task placement among the workers of this process: they wait for each other, as separate processes do. */
export const layerLocalPlacement = Layer.sync(Placement, () => {
  const places = new Map<string, Semaphore.Semaphore>()
  return {
    exclusive: true,
    run: (work) =>
      Effect.forEach(Object.entries(work), ([name, one]) => {
        const place = places.get(name) ?? Semaphore.makeUnsafe(1)
        places.set(name, place)
        return Effect.forkScoped(place.withPermits(1)(Effect.scoped(one)))
      }, { discard: true })
  }
})

export const platformError = (
  reason: PlatformError["reason"],
  fields: Partial<Pick<PlatformError, "final" | "retryAfterMs" | "status" | "usage">> = {}
) =>
  new PlatformError({
    platform: "assistant_a",
    reason,
    message: "no",
    status: null,
    retryAfterMs: null,
    excerpt: "\u0000<h1>",
    ...fields
  })

let made = 0
export const initializeOrganization = (keywords: number, text = "question") =>
  Effect.map(
    initialize({
      name: `Scan test ${process.pid} ${made++}`,
      plan: "starter",
      tracking: {
        brand: { name: "Acme" },
        keywords: Array.from({ length: keywords }, (_, n) => ({ text: `${text} ${n}?` }))
      }
    }),
    ({ organization }) => organization.id
  )

export const scanRequest = { scanType: "manual", usesQuota: true, samples: 1 } as const

export const awaitScanEnd = (organizationId: OrganizationId, scanId: ScanId) =>
  Stream.runLast(followScan(organizationId, scanId)).pipe(
    Effect.flatMap(Effect.fromOption),
    Effect.map(({ scan }) => scan)
  )

/** Whether the scan has ended. */
export const hasEnded = (organizationId: OrganizationId, scanId: ScanId) =>
  Effect.map(
    Effect.flatMap(ScanStore, (scans) => scans.find(organizationId, scanId)),
    (scan) => scan?.status !== "running"
  )
