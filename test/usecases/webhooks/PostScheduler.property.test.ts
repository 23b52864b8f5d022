/** The scheduler of posts beside one that looks at every endpoint before each post. */
import { canStartPost, EndpointId, makeFairScheduler, OrganizationId, PostScheduler } from "@sov/core"
import fc from "fast-check"
import { expect, it } from "vitest"
import { propertyRuns } from "../../support/propertyRuns.ts"

const id = (n: number) => `01900000-0000-7000-8000-${String(n).padStart(12, "0")}`

interface Recipient {
  readonly organizationId: OrganizationId
  readonly endpointId: EndpointId
  readonly failing: boolean
}

/** The rule itself: of all endpoints that are ready and may have another post, the one whose turn it is. */
const makeReference = () => {
  const turns = makeFairScheduler<Recipient>(({ organizationId }) => organizationId, ({ endpointId }) => endpointId)
  const known = new Map<EndpointId, { readonly to: Recipient; readonly isReady: boolean }>()
  const posts = new Set<Recipient>()
  const count = (isCounted: (to: Recipient) => boolean) => [...posts].filter(isCounted).length
  const canStart = ({ endpointId, failing, organizationId }: Recipient) =>
    canStartPost(failing, {
      all: posts.size,
      failing: count((to) => to.failing),
      own: count((to) => to.organizationId === organizationId),
      ownFailing: count((to) => to.organizationId === organizationId && to.failing),
      endpoint: count((to) => to.endpointId === endpointId)
    })
  return {
    update: (to: Recipient, isReady: boolean) => void known.set(to.endpointId, { to, isReady }),
    retain: (kept: ReadonlySet<EndpointId>) => {
      for (const endpointId of known.keys()) if (!kept.has(endpointId)) known.delete(endpointId)
      turns.retain([...known.values()].map(({ to }) => to))
    },
    next: () => {
      const ready = [...known.values()].filter(({ isReady, to }) => isReady && canStart(to)).map(({ to }) => to)
        .toSorted((a, b) => a.endpointId < b.endpointId ? -1 : 1)
      return ready.length === 0 ? null : turns.next(ready)
    },
    trackInFlight: (to: Recipient) => {
      const post = { ...to }
      posts.add(post)
      return () => posts.delete(post)
    },
    inFlight: () => posts.size
  }
}

/** Ids of endpoints rise with those of their organizations: what was never served comes in the order of both. */
const recipient = (organization: number, n: number, failing: boolean): Recipient => ({
  organizationId: OrganizationId.make(id(organization)),
  endpointId: EndpointId.make(id(1_000 + 100 * organization + n)),
  failing
})

const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("post" as const), count: fc.integer({ min: 1, max: 40 }) }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant("end" as const), which: fc.array(fc.nat(), { maxLength: 30 }) })
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("update" as const),
      organizations: fc.integer({ min: 1, max: 50 }),
      endpoints: fc.integer({ min: 1, max: 40 }),
      failingEach: fc.integer({ min: 1, max: 4 }),
      readyEach: fc.integer({ min: 1, max: 3 })
    })
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("retain" as const), each: fc.integer({ min: 2, max: 5 }) }) }
)

it("chooses the endpoint that a look at all of them would choose", () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 2, maxLength: 14 }), (steps) => {
      const [scheduler, reference] = [new PostScheduler<Recipient>(), makeReference()]
      const known = new Set<EndpointId>()
      const ends: Array<() => void> = []
      for (const one of steps) {
        if (one.kind === "update") {
          for (let organization = 0; organization < one.organizations; organization++) {
            for (let n = 0; n < Math.ceil(one.endpoints / one.organizations); n++) {
              const to = recipient(organization, n, (organization + n) % one.failingEach === 0 && one.failingEach > 1)
              const isReady = (organization + n) % one.readyEach === 0
              known.add(to.endpointId)
              scheduler.update(to, isReady)
              reference.update(to, isReady)
            }
          }
        } else if (one.kind === "retain") {
          const kept = new Set([...known].filter((_, n) => n % one.each !== 0))
          known.clear()
          for (const endpointId of kept) known.add(endpointId)
          scheduler.retain(kept)
          reference.retain(kept)
        } else if (one.kind === "end") {
          for (const n of one.which) ends.splice(n % (ends.length + 1), 1)[0]?.()
        } else {
          for (let n = 0; n < one.count; n++) {
            const [next, expected] = [scheduler.next(), reference.next()]
            expect(next).toEqual(expected)
            if (next === null) break
            const [end, ended] = [scheduler.trackInFlight(next), reference.trackInFlight(next)]
            ends.push(() => {
              end()
              ended()
            })
          }
        }
        expect(scheduler.inFlight).toBe(reference.inFlight())
      }
    }),
    { numRuns: propertyRuns(200) }
  )
})
