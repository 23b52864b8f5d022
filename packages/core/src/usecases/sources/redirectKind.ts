/** Resolves the redirects in archived answers, on the platforms for which the operator enabled this. */
import { Effect, Semaphore } from "effect"
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
import { makeErrandKind, runErrands } from "../workers/makeErrandKind.ts"

/** Interval between two checks of an organization's new answers, in milliseconds. */
const pollMs = 5_000
/** Maximum number of concurrent requests, for all organizations. */
const maxRequests = 4
/** Maximum number of answers in memory at once. */
const pageSize = 100

/** State that is kept between turns and lost when the process ends. */
interface RedirectMemory {
  /** The number of failed attempts for each address, and when the next one is due. */
  readonly tries: Map<string, { readonly count: number; readonly dueMs: number }>
  /** For each organization, the last answer that was checked, if there are more answers. */
  readonly after: Map<OrganizationId, AnswerId>
  /** When each organization's answers are checked next. */
  readonly dueAt: Map<OrganizationId, Date>
  readonly requests: Semaphore.Semaphore
}

export const makeRedirectMemory = (): RedirectMemory => ({
  tries: new Map(),
  after: new Map(),
  dueAt: new Map(),
  requests: Semaphore.makeUnsafe(maxRequests)
})

const formatTriesKey = (organizationId: OrganizationId, url: string): string => `${organizationId} ${url}`

const refused = { outcome: "refused", target: null } as const

/** Tries an address once. Its row is written after the last attempt. */
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
 * Tries each due address in a page of an organization's recent answers once. Returns whether there are more answers.
 */
const resolvePage = Effect.fnUntraced(
  function*({ after, requests, tries }: RedirectMemory, organizationId: OrganizationId) {
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
      ([url, platform]) => requests.withPermit(tryUrl(tries, organizationId, url, resolvers.get(platform)!)),
      { concurrency: maxRequests, discard: true }
    )
    const more = page.length === pageSize
    if (more) after.set(organizationId, page.at(-1)!.answerId)
    else after.delete(organizationId)
    return more
  }
)

/**
 * Resolves the addresses of new answers, one page at a time; organizations take turns. Answers that are unresolved when
 * a process ends are found by the next process, because the archive alone shows what must be done.
 */
export const makeRedirectKind = (memory: RedirectMemory = makeRedirectMemory()) =>
  makeErrandKind({
    name: "resolving redirects",
    of: "any",
    look: Effect.gen(function*() {
      const at = yield* now
      // The answers with these addresses are too old now
      const oldestMs = at.getTime() - resolveWithinMs
      for (const [key, { dueMs }] of memory.tries) if (dueMs < oldestMs) memory.tries.delete(key)
      const listed = yield* (yield* OrganizationStore).list
      return listed.map(({ id }) => ({ organizationId: id, id, dueAt: memory.dueAt.get(id) ?? at }))
    }),
    run: Effect.fnUntraced(function*({ organizationId }) {
      const more = yield* resolvePage(memory, organizationId)
      const dueAt = new Date((yield* now).getTime() + (more ? 0 : pollMs))
      memory.dueAt.set(organizationId, dueAt)
      return dueAt
    })
  })

/** Tries each due address in one page of every organization's answers once; the next call continues after that page. */
export const resolveRedirects = Effect.fn("resolveRedirects")((memory: RedirectMemory) =>
  runErrands(makeRedirectKind(memory))
)
