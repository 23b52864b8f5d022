/** The forms of the settings, for tests that send each of them invalid input. */
import {
  ActionStore,
  addEndpoint,
  addView,
  annotate,
  createApiKey,
  createShareLink,
  disableEndpoint,
  type Endpoint,
  EndpointStore,
  listEndpoints,
  listViews,
  makeFormId,
  noBranding,
  type OrganizationId,
  removeEndpoint,
  removeView,
  secretsMark,
  setBranding,
  setLogo,
  setTimeZone,
  testEndpoint
} from "@sov/core"
import { Effect } from "effect"
import { someMark, someReport } from "../contracts/actionStoreContract.ts"
import { failOneDelivery } from "../contracts/webhookSeeds.ts"
import type { TestDashboard } from "./dashboardServer.ts"
import { png } from "./logos.ts"
import { seedMember } from "./people.ts"

/** Effects with which a form's data can be prepared. */
type Prepared<A> = Parameters<TestDashboard["run"]>[0] extends Effect.Effect<unknown, unknown, infer R>
  ? Effect.Effect<A, unknown, R>
  : never

/** A form of the dashboard. */
export interface DashboardForm {
  /** The text of the form's button. */
  readonly name: string
  /**
   * Creates the data that the form needs, and returns the path that it is sent to: below `/o/{slug}`, except for
   * `/setup` and `/organizations`.
   */
  readonly prepare: (organizationId: OrganizationId) => Prepared<`/${string}`>
  /** The form's fields with valid values; `form_id` is added to each form. */
  readonly fields: FormFields
  /** Number of entries that the form leaves in the organization's audit log when it is sent twice; default one. */
  readonly entries?: number
  /** What the form shows, as the text whose hash it sends as `seen`; default: it sends no `seen`. */
  readonly shows?: string
  /** Whether sending the form again acts again, as a download does. */
  readonly again?: true
}

/** The values that a form sends, by field name; a list for a field with several values. */
export type FormValues = Readonly<Record<string, string | ReadonlyArray<string>>>

/** Fields whose values may depend on prepared data. */
type FormFields = Readonly<
  Record<string, FormValues[string] | ((organizationId: OrganizationId) => Prepared<string>)>
>

const prepareKey = (verb: "roll" | "revoke"): DashboardForm["prepare"] => (organizationId) =>
  Effect.map(createApiKey(organizationId, "ci"), ({ key }) => `/settings/api/${key.id}/${verb}` as const)

let endpoints = 0

/** When the secret of the form was staged: so far in the future that no worker promotes it. */
const stagedAt = new Date("2999-01-31T12:00:00.000Z")

/**
 * Creates an endpoint at which nobody listens, in the state that the form needs; its path ends with what `state`
 * returns.
 */
const prepareEndpoint = (
  state: (organizationId: OrganizationId, endpoint: Endpoint) => Prepared<string>
): DashboardForm["prepare"] =>
(organizationId) =>
  Effect.gen(function*() {
    const { endpoint } = yield* addEndpoint(organizationId, `http://127.0.0.1:9/${++endpoints}`, ["scan.completed"])
    const rest = yield* state(organizationId, endpoint)
    return `/settings/webhooks/${endpoint.id}/${rest}` as const
  })

const prepareMember = (verb: "role" | "remove"): DashboardForm["prepare"] => (organizationId) =>
  Effect.map(seedMember(organizationId, "viewer"), ({ id }) => `/settings/members/${id}/${verb}` as const)

export const dashboardForms: ReadonlyArray<DashboardForm> = [
  {
    name: "Invite",
    prepare: () => Effect.succeed("/settings/members"),
    fields: { email: "ben@acme.example", name: "Ben", role: "member" },
    entries: 2
  },
  { name: "Save the role", prepare: prepareMember("role"), shows: "viewer", fields: { role: "member" } },
  { name: "Remove the member", prepare: prepareMember("remove"), shows: "viewer", fields: {} },
  {
    name: "Save the time zone",
    prepare: (organizationId) => Effect.as(setTimeZone(organizationId, "UTC"), "/settings/organization" as const),
    shows: "UTC",
    fields: { timeZone: "Europe/Berlin" }
  },
  {
    name: "Save the branding",
    prepare: (organizationId) => Effect.as(setBranding(organizationId, noBranding), "/settings/branding" as const),
    shows: JSON.stringify({ title: "", locale: "", color: "", band: "", sender: "", footer: "" }),
    fields: {
      title: "Our answers",
      locale: "de",
      color: "8f6300",
      band: "#e8a200",
      sender: "Studio",
      footer: "Confidential"
    }
  },
  {
    name: "Remove logo",
    prepare: (organizationId) => Effect.as(setLogo(organizationId, png), "/settings/branding/logo/remove" as const),
    fields: {}
  },
  {
    name: "Create key",
    prepare: () => Effect.succeed("/settings/api"),
    fields: { name: "Reports", scope: ["read", "scan"], expires: "2999-01-31" }
  },
  { name: "Roll key", prepare: prepareKey("roll"), fields: { grace: "3600" } },
  { name: "Revoke", prepare: prepareKey("revoke"), fields: {} },
  {
    name: "Add this view",
    prepare: (organizationId) =>
      Effect.gen(function*() {
        for (const { name } of yield* listViews(organizationId)) yield* removeView(organizationId, name)
        return "/views" as const
      }),
    fields: { name: "germany", country: "DE", language: "de", context: "" }
  },
  {
    name: "Remove the view",
    prepare: (organizationId) =>
      Effect.gen(function*() {
        const france = { name: "france", country: "FR", language: null, context: null }
        if (!(yield* listViews(organizationId)).some(({ name }) => name === france.name)) {
          yield* addView(organizationId, france)
        }
        return "/views/remove" as const
      }),
    fields: { name: "france" }
  },
  {
    name: "Create link",
    prepare: () => Effect.succeed("/settings/shares"),
    fields: { name: "the board", from: "2026-01-01", to: "", days: "30", answers: "yes" }
  },
  {
    name: "Revoke link",
    prepare: (organizationId) =>
      Effect.map(
        createShareLink(organizationId, { name: "the board" }),
        ({ link }) => `/settings/shares/${link.id}/revoke` as const
      ),
    fields: {}
  },
  {
    name: "Mark action",
    prepare: (organizationId) =>
      Effect.as(
        Effect.flatMap(ActionStore, (store) => store.keep(organizationId, someReport)),
        `/actions/${someMark.id}/mark` as const
      ),
    fields: { state: "dismissed" }
  },
  {
    name: "Undo",
    prepare: (organizationId) =>
      Effect.as(
        Effect.flatMap(ActionStore, (store) => store.mark(organizationId, someMark)),
        `/actions/${someMark.id}/undo` as const
      ),
    fields: {}
  },
  {
    name: "Add annotation",
    prepare: () => Effect.succeed("/annotations"),
    fields: { day: "2026-11-20", text: "New pricing page" }
  },
  {
    name: "Remove",
    prepare: (organizationId) =>
      Effect.map(
        annotate(organizationId, { day: "2026-11-20", text: "New pricing page" }),
        ({ id }) => `/annotations/${id}/remove` as const
      ),
    fields: {}
  },
  {
    name: "Add endpoint",
    prepare: (organizationId) =>
      Effect.gen(function*() {
        for (const { id } of yield* listEndpoints(organizationId)) yield* removeEndpoint(organizationId, id)
        return "/settings/webhooks" as const
      }),
    fields: { url: "https://hooks.example/sov", event: ["scan.completed", "sov.dropped"] }
  },
  {
    name: "Save events",
    prepare: prepareEndpoint(() => Effect.succeed("events")),
    shows: "scan.completed",
    fields: { event: ["sov.dropped"] }
  },
  { name: "Send a test", prepare: prepareEndpoint(() => Effect.succeed("test")), fields: { event: "sov.dropped" } },
  {
    name: "Disable",
    prepare: prepareEndpoint(() => Effect.succeed("disable")),
    shows: "enabled: scan.completed",
    fields: {}
  },
  {
    name: "Enable",
    prepare: prepareEndpoint((organizationId, { id }) => Effect.as(disableEndpoint(organizationId, id), "enable")),
    shows: "disabled: scan.completed",
    fields: {}
  },
  {
    name: "Rotate",
    prepare: prepareEndpoint((organizationId, { id }) =>
      Effect.gen(function*() {
        yield* (yield* EndpointStore).replaceSecret(organizationId, id, "sealed")
        return "rotate"
      })
    ),
    shows: secretsMark({ current: "sealed", next: null }),
    fields: { rotation: "staged" }
  },
  {
    name: "Sign with the new secret only",
    prepare: prepareEndpoint((organizationId, { id }) =>
      Effect.gen(function*() {
        yield* (yield* EndpointStore).stage(organizationId, id, "sealed", stagedAt)
        return "promote"
      })
    ),
    shows: `a next one, staged at ${stagedAt.toISOString()}`,
    fields: {}
  },
  { name: "Reveal secret", prepare: prepareEndpoint(() => Effect.succeed("reveal")), fields: {} },
  {
    name: "Remove",
    prepare: prepareEndpoint(() => Effect.succeed("remove")),
    shows: "enabled: scan.completed",
    fields: {}
  },
  {
    name: "Send again",
    prepare: prepareEndpoint((organizationId, { id }) =>
      Effect.map(
        testEndpoint(organizationId, id, "scan.completed"),
        ({ deliveryId }) => `deliveries/${deliveryId}/replay`
      )
    ),
    fields: {}
  },
  {
    name: "Send again",
    prepare: prepareEndpoint((organizationId, endpoint) =>
      Effect.as(failOneDelivery(organizationId, endpoint), "replay")
    ),
    fields: { since: "2020-01-01" }
  }
]

/** The encoded body of a form with these values. */
export const formBody = (values: FormValues): string =>
  new URLSearchParams(
    Object.entries(values).flatMap(([name, value]) => [value].flat().map((one): [string, string] => [name, one]))
  ).toString()

/** What a browser sends: the values, and a new form id. */
export const freshForm = (
  server: TestDashboard,
  fields: FormFields,
  organizationId?: OrganizationId
): Promise<FormValues> =>
  server.run(Effect.gen(function*() {
    const form_id: string = yield* makeFormId
    const values: Record<string, FormValues[string]> = { form_id }
    for (const [name, value] of Object.entries(fields)) {
      values[name] = typeof value === "function" ? yield* value(organizationId!) : value
    }
    return values
  }))
