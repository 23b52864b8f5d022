/** The forms of the settings, for tests that send each of them what it should refuse. */
import { createApiKey, makeFormId, type OrganizationId } from "@sov/core"
import { Effect } from "effect"
import type { TestDashboard } from "./dashboardServer.ts"

/** One form. */
export interface DashboardForm {
  /** As its button says. */
  readonly name: string
  /** Makes what has to be there, and says where the form is sent, after `/o/{slug}`. */
  readonly prepare: (server: TestDashboard, organizationId: OrganizationId) => Promise<`/${string}`>
  /** Its fields with values that are accepted, several of a field as a list; `form_id` is added to each form. */
  readonly fields: Readonly<Record<string, string | ReadonlyArray<string>>>
}

const keyPath = (verb: "roll" | "revoke"): DashboardForm["prepare"] => (server, organizationId) =>
  server.run(Effect.map(createApiKey(organizationId, "ci"), ({ key }) => `/settings/api/${key.id}/${verb}` as const))

export const dashboardForms: ReadonlyArray<DashboardForm> = [
  {
    name: "Create the key",
    prepare: () => Promise.resolve("/settings/api"),
    fields: { name: "Reports", scope: ["read", "scan"], expires: "2999-01-31" }
  },
  { name: "Roll the key", prepare: keyPath("roll"), fields: { grace: "3600" } },
  { name: "Revoke", prepare: keyPath("revoke"), fields: {} }
]

export type FormValues = Readonly<Record<string, string | ReadonlyArray<string>>>

/** The body of a form with these values. */
export const formBody = (values: FormValues): string =>
  new URLSearchParams(
    Object.entries(values).flatMap(([name, value]) => [value].flat().map((one): [string, string] => [name, one]))
  ).toString()

/** What a browser sends: the values, and an id of the page that nobody has sent before. */
export const freshForm = (server: TestDashboard, values: FormValues): Promise<FormValues> =>
  server.run(Effect.map(makeFormId, (form_id) => ({ ...values, form_id })))
