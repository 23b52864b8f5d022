/**
 * The forms that add questions, attest, start and end scans, measure again, download, test a platform or mail server,
 * and set up an organization, each with the data that it needs.
 */
import {
  addKeywords,
  editBusinessCard,
  EmailAddress,
  findOrganization,
  makeIdempotencyKey,
  type OrganizationId,
  readBusinessCard,
  resumeOrganization,
  setAlertRule,
  setRecipients,
  setTrackedSet,
  startExperiment,
  startScan,
  suspendOrganization
} from "@sov/core"
import { Effect } from "effect"
import type { DashboardForm } from "./dashboardForms.ts"
import { addTopics, day, scanAt, usual } from "./experiments.ts"
import { prepareSchedule } from "./trackingForms.ts"

let count = 0

const brand = { name: "Acme", aliases: [], domains: [], excludes: [] }

const slugOf = (id: OrganizationId) => Effect.map(findOrganization(id), ({ slug }) => slug)

/** Creates a brand and questions for a scan. */
const prepareScan = Effect.fnUntraced(function*(organizationId: OrganizationId) {
  yield* setTrackedSet(organizationId, { brand, competitors: [] })
  yield* addKeywords(organizationId, ["which anvil is heaviest?"])
})

const withTopics = new Set<OrganizationId>()

/** Creates sixteen topics and two scans of them, once per organization. */
const prepareExperiments = Effect.fnUntraced(function*(organizationId: OrganizationId) {
  if (withTopics.has(organizationId)) return
  withTopics.add(organizationId)
  yield* addTopics(organizationId, 16)
  for (const days of [5, 12]) yield* scanAt(organizationId, days * day, usual)
})

const future = { name: "Guides", change: "a guide for each topic", from: "2999-01-31", until: "2999-02-28" }

export const actForms: ReadonlyArray<DashboardForm> = [
  {
    name: "Draw and seal",
    prepare: (organizationId) => Effect.as(prepareExperiments(organizationId), "/experiments"),
    fields: { ...future, name: () => Effect.sync(() => `Guides ${++count}`), scans: "4" }
  },
  {
    name: "End the experiment",
    prepare: (organizationId) =>
      Effect.gen(function*() {
        yield* prepareExperiments(organizationId)
        const id = yield* startExperiment(organizationId, { ...future, keywordIds: null, scansAfter: 4 })
        return `/experiments/${id}/end` as const
      }),
    fields: { reason: "the pages were withdrawn" }
  },
  {
    name: "Add questions",
    prepare: () => Effect.succeed("/keywords"),
    fields: { texts: () => Effect.sync(() => `which anvil is number ${++count}?\nwhich one is ${count}?`) },
    entries: 2
  },
  {
    name: "Attest the card",
    prepare: (organizationId) =>
      Effect.as(
        editBusinessCard(organizationId, [{ field: "name", value: ["Acme"], source: null, updatedAt: null }], {
          source: "register"
        }),
        "/card/attest"
      ),
    fields: {
      by: "Ada Example",
      hash: (organizationId) => Effect.map(readBusinessCard(organizationId), ({ hash }) => hash)
    }
  },
  {
    name: "Measure again",
    prepare: (organizationId) => Effect.as(prepareScan(organizationId), "/competitors/measure"),
    fields: {}
  },
  {
    name: "Start a scan",
    prepare: (organizationId) => Effect.as(prepareScan(organizationId), "/scans"),
    fields: { platform: ["assistant_a"], idempotency_key: () => makeIdempotencyKey }
  },
  {
    name: "Cancel the scan",
    prepare: (organizationId) =>
      Effect.gen(function*() {
        yield* prepareScan(organizationId)
        const { id } = yield* startScan(organizationId, { scanType: "manual", usesQuota: false, samples: 1 })
        return `/scans/${id}/cancel` as const
      }),
    fields: {}
  },
  {
    name: "Resume",
    prepare: prepareSchedule("/settings/schedule/state", { paused: true }),
    shows: "every day at 00:00, UTC; all platforms; each question once; paused",
    fields: { state: "resume" }
  },
  {
    name: "Send a test e-mail",
    prepare: (organizationId) =>
      Effect.gen(function*() {
        yield* setAlertRule(organizationId, { rule: "new_mention", enabled: true })
        yield* setRecipients(organizationId, [EmailAddress.make("ops@acme.example")])
        return "/settings/alerts/test" as const
      }),
    fields: { rule: "new_mention" }
  },
  {
    name: "Test a platform",
    prepare: () => Effect.succeed("/settings/platforms/assistant_a/test"),
    fields: {}
  },
  {
    name: "Download the archive",
    prepare: () => Effect.succeed("/settings/export"),
    fields: { from: "2020-01-01", to: "2999-01-31", platform: "assistant_a" },
    again: true,
    entries: 2
  },
  {
    name: "Suspend an organization",
    prepare: (id) =>
      Effect.map(
        Effect.andThen(resumeOrganization(id), slugOf(id)),
        (slug) => `/organizations/${slug}/suspend` as const
      ),
    fields: { reason: "the invoice of October is not paid" }
  },
  {
    name: "Resume an organization",
    prepare: (id) =>
      Effect.as(suspendOrganization(id, null), id).pipe(
        Effect.flatMap(slugOf),
        Effect.map((slug) => `/organizations/${slug}/resume` as const)
      ),
    fields: {}
  },
  {
    name: "Set up",
    prepare: () => Effect.succeed("/setup"),
    fields: {
      brand: () => Effect.sync(() => `Forge ${++count}`),
      aliases: "Forge Corp",
      domains: "forge.example",
      competitors: "Globex",
      keywords: "best forge?"
    },
    entries: 0
  }
]
