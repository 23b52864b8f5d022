/** Resolves the redirects that archived answers name, on the platforms where the operator asks for it. */
import { Effect } from "effect"
import type { AnswerId, OrganizationId } from "../../domain/ids.ts"
import {
  isResolvable,
  pauseAfterTries,
  redirectPrefix,
  type ResolvedUrl,
  resolveWithinMs
} from "../../domain/sources/resolvedUrl.ts"
import { OrganizationStore } from "../../ports/OrganizationStore.ts"
import { RedirectResolver, type ResolveRedirect } from "../../ports/RedirectResolver.ts"
import { ResolvedUrlStore } from "../../ports/ResolvedUrlStore.ts"
import { now } from "../now.ts"
import { makePollLoop } from "../workers/pollLoop.ts"

/** New answers are looked for so often, in milliseconds. */
const pollMs = 5_000
/** Requests at once. */
const maxRequests = 4
/** Answers in memory at once. */
const pageSize = 100

/** The failed tries of each address, and when the next is due; forgotten when the process ends. */
type Tries = Map<string, { readonly count: number; readonly dueMs: number }>

const formatTriesKey = (organizationId: OrganizationId, url: string): string => `${organizationId} ${url}`

const refused = { outcome: "refused", target: null } as const

/** Tries an address once. Its row is written when the tries have ended. */
const tryUrl = Effect.fnUntraced(function*(
  tries: Tries,
  organizationId: OrganizationId,
  url: string,
  resolve: ResolveRedirect
) {
  const key = formatTriesKey(organizationId, url)
  const { insert } = yield* ResolvedUrlStore
  const reply = isResolvable(url) ? yield* resolve(url) : refused
  const resolvedAt = yield* now
  const end = (ended: Pick<ResolvedUrl, "outcome" | "target">) => {
    tries.delete(key)
    return insert(organizationId, { url, resolvedAt, ...ended })
  }
  if (reply.outcome !== "unanswered") return yield* end(reply)
  const count = (tries.get(key)?.count ?? 0) + 1
  const pause = pauseAfterTries(count)
  if (pause === null) return yield* end({ outcome: "failed", target: null })
  tries.set(key, { count, dueMs: resolvedAt.getTime() + pause })
})

/** Tries each due address of an organization's recent answers once. */
const resolveOrganization = Effect.fnUntraced(function*(tries: Tries, organizationId: OrganizationId) {
  const resolvers = yield* RedirectResolver
  const { listUnresolved } = yield* ResolvedUrlStore
  const begunMs = (yield* now).getTime()
  let after: AnswerId | undefined
  while (true) {
    const page = yield* listUnresolved(organizationId, {
      prefix: redirectPrefix,
      platforms: [...resolvers.keys()],
      since: new Date(begunMs - resolveWithinMs),
      limit: pageSize,
      ...after === undefined ? {} : { after }
    })
    const found = new Map(page.flatMap(({ platform, urls }) => urls.map((url) => [url, platform] as const)))
    const due = [...found].filter(([url]) => (tries.get(formatTriesKey(organizationId, url))?.dueMs ?? 0) <= begunMs)
    yield* Effect.forEach(
      due,
      ([url, platform]) => tryUrl(tries, organizationId, url, resolvers.get(platform)!),
      { concurrency: maxRequests, discard: true }
    )
    if (page.length < pageSize) return
    after = page.at(-1)!.answerId
  }
})

/** Tries each due address of every organization once. */
export const resolveRedirects = Effect.fn("resolveRedirects")(function*(tries: Tries) {
  const nowMs = (yield* now).getTime()
  // Their answers are too old by now
  for (const [key, { dueMs }] of tries) if (dueMs < nowMs - resolveWithinMs) tries.delete(key)
  for (const { id } of yield* (yield* OrganizationStore).list) yield* resolveOrganization(tries, id)
})

/**
 * Resolves the addresses of new answers until interrupted. What was archived and not resolved before a process ended is found
 * by the next: only the archive says what there is to do.
 */
export const runRedirectWorker = Effect.suspend(() => {
  const tries: Tries = new Map()
  return makePollLoop().run({
    onFailure: "resolving redirects pauses",
    poll: () => Effect.as(resolveRedirects(tries), pollMs)
  })
})
