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

/** What is remembered from turn to turn, and forgotten when the process ends. */
interface RedirectMemory {
  /** The failed tries of each address, and when the next is due. */
  readonly tries: Map<string, { readonly count: number; readonly dueMs: number }>
  /** The last answer of an organization that was looked at, where there are more. */
  readonly after: Map<OrganizationId, AnswerId>
}

export const makeRedirectMemory = (): RedirectMemory => ({ tries: new Map(), after: new Map() })

const formatTriesKey = (organizationId: OrganizationId, url: string): string => `${organizationId} ${url}`

const refused = { outcome: "refused", target: null } as const

/** Tries an address once. Its row is written when the tries have ended. */
const tryUrl = Effect.fnUntraced(function*(
  tries: RedirectMemory["tries"],
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

/**
 * Tries each due address of a page of an organization's recent answers once. Returns whether there are more answers.
 */
const resolvePage = Effect.fnUntraced(function*({ after, tries }: RedirectMemory, organizationId: OrganizationId) {
  const resolvers = yield* RedirectResolver
  const { listUnresolved } = yield* ResolvedUrlStore
  const begunMs = (yield* now).getTime()
  const last = after.get(organizationId)
  const page = yield* listUnresolved(organizationId, {
    prefix: redirectPrefix,
    platforms: [...resolvers.keys()],
    since: new Date(begunMs - resolveWithinMs),
    limit: pageSize,
    ...last === undefined ? {} : { after: last }
  })
  const found = new Map(page.flatMap(({ platform, urls }) => urls.map((url) => [url, platform] as const)))
  const due = [...found].filter(([url]) => (tries.get(formatTriesKey(organizationId, url))?.dueMs ?? 0) <= begunMs)
  yield* Effect.forEach(
    due,
    ([url, platform]) => tryUrl(tries, organizationId, url, resolvers.get(platform)!),
    { concurrency: maxRequests, discard: true }
  )
  const more = page.length === pageSize
  if (more) after.set(organizationId, page.at(-1)!.answerId)
  else after.delete(organizationId)
  return more
})

/**
 * One turn: tries each due address of a page of every organization's answers once, so that none waits for all of
 * another one's. The next turn goes on behind that page. Returns whether one has more answers.
 */
export const resolveRedirects = Effect.fn("resolveRedirects")(function*(memory: RedirectMemory) {
  const nowMs = (yield* now).getTime()
  // Their answers are too old by now
  for (const [key, { dueMs }] of memory.tries) if (dueMs < nowMs - resolveWithinMs) memory.tries.delete(key)
  let more = false
  for (const { id } of yield* (yield* OrganizationStore).list) more = (yield* resolvePage(memory, id)) || more
  return more
})

/**
 * Resolves the addresses of new answers until interrupted. What was archived and not resolved before a process ended is
 * found by the next: only the archive says what there is to do.
 */
export const runRedirectWorker = Effect.suspend(() => {
  const memory = makeRedirectMemory()
  return makePollLoop().run({
    onFailure: "resolving redirects pauses",
    poll: () => Effect.map(resolveRedirects(memory), (more) => more ? 0 : pollMs)
  })
})
