/**
 * A program that uses every call of the operator, of both clients and of the promises, and reads every result. It is
 * type-checked here, and in packages/installed against the published packages.
 */
import { openSov, type Organizations } from "@sov/core/promise"
import { makeClient } from "@sov/http/client"
import { SovClient, SovOperatorClient } from "@sov/http/fetch-client"
import { Effect, Redacted } from "effect"

const baseUrl = "https://sov.example"
const operator = new SovOperatorClient({ baseUrl, apiKey: "k" })
const client = new SovClient({ baseUrl, apiKey: "k" })

// A new call that has no line here does not compile
export const ofOperator = {
  listOrganizations: async () => (await operator.listOrganizations({ limit: 10 })).meta.next_cursor?.length,
  organizations: async () => {
    for await (const { limits } of operator.organizations()) return limits.monthly_budget_usd?.toFixed(2)
    return null
  },
  createOrganization: async () => {
    const body = { brand: { name: "Acme" }, plan: "pro", limits: { monthly_budget_usd: null } } as const
    return (await operator.createOrganization(body, { idempotencyKey: "1" })).slug.length
  },
  getOrganization: async () => (await operator.getOrganization("acme")).suspended?.reason?.length,
  editOrganization: async () =>
    (await operator.editOrganization("acme", { limits: { requests_per_minute: 60 } })).plan.length,
  suspendOrganization: async () =>
    (await operator.suspendOrganization("acme", { reason: "not paid" })).suspended?.since.length,
  resumeOrganization: async () => (await operator.resumeOrganization("acme")).id.length,
  exportOrganization: async () => (await operator.exportOrganization("acme")).getReader(),
  deleteOrganization: async () => (await operator.deleteOrganization("acme")).due_at.length,
  cancelDeletion: async () => (await operator.cancelDeletion("acme")).cancelled === true,
  listDeletions: async () => (await operator.listDeletions()).tombstones[0]?.rows["answer"]?.toFixed(),
  listKeys: async () => (await operator.listKeys("acme")).data[0]?.id.length,
  createKey: async () => (await operator.createKey("acme", { name: "app" })).key.length,
  revokeKey: async () => (await operator.revokeKey("acme", "k1")).revoked_at?.length,
  listMembers: async () => (await operator.listMembers("acme")).data[0]?.role.length,
  inviteMember: async () => (await operator.inviteMember("acme", { email: "a@acme.example", role: "member" })).added,
  setRole: async () => (await operator.setRole("acme", "m1", "owner")).role.length,
  removeMember: async () => (await operator.removeMember("acme", "m1")).role.length,
  usage: async () => (await operator.usage({ month: "2026-11" })).total.cost_usd.toFixed(2),
  usageCsv: async () => (await operator.usageCsv({ organization: "acme" })).length
} satisfies Record<keyof SovOperatorClient, unknown>

export const ofTenant = {
  sov: async () => (await client.sov()).competitors?.[0]?.interval_95,
  actions: async () => (await client.actions()).actions.length,
  definitions: async () => (await client.definitions()).definitions.length,
  evidence: async () => (await client.evidence()).grade.length,
  odds: async () => (await client.odds()).platforms.length,
  listScans: async () => (await client.listScans()).scans[0]?.status.length,
  startScan: async () => (await client.startScan({ views: ["standard"] })).scan_id.length,
  listExperiments: async () => (await client.listExperiments()).experiments.length,
  experiment: async () => (await client.experiment("e1")).name.length,
  startExperiment: async () => {
    const plan = { name: "FAQ", change: "Answers on the page", from: "2026-12-01", until: "2026-12-31" }
    return (await client.startExperiment(plan)).id.length
  },
  endExperiment: async () => (await client.endExperiment("e1", "no longer needed")).id.length,
  archive: async () => (await client.archive({ view: "standard" })).data.length,
  archivePages: async () => {
    for await (const { meta } of client.archivePages()) return meta.next_cursor?.length
    return null
  },
  archiveRows: async () => {
    for await (const { raw_response: text } of client.archiveRows()) return text?.length
    return null
  }
} satisfies Record<keyof SovClient, unknown>

const params = { organization: "acme" }
export const byEffect = Effect.map(makeClient({ baseUrl, apiKey: Redacted.make("k") }), (sov) => ({
  listOrganizations: Effect.map(sov.listOrganizations({ query: {} }), ({ data: [one] }) => one?.slug.length),
  createOrganization: Effect.map(
    sov.createOrganization({ headers: {}, payload: { brand: { name: "Acme" }, limits: { monthly_budget_usd: null } } }),
    ({ slug }) => slug.length
  ),
  getOrganization: Effect.map(sov.getOrganization({ params }), ({ limits }) => limits.requests_per_minute?.toFixed()),
  editOrganization: Effect.map(
    sov.editOrganization({ params, payload: { name: "Acme 2" } }),
    ({ name }) => name.length
  ),
  suspendOrganization: Effect.map(
    sov.suspendOrganization({ params, payload: { reason: "not paid" } }),
    ({ suspended }) => suspended?.since
  ),
  resumeOrganization: Effect.map(sov.resumeOrganization({ params }), ({ id }) => id.length),
  exportOrganization: Effect.map(sov.exportOrganization({ params }), (zip) => zip.byteLength),
  deleteOrganization: Effect.map(sov.deleteOrganization({ params }), ({ due_at: due }) => due),
  cancelDeletion: Effect.map(sov.cancelDeletion({ params }), ({ cancelled }) => cancelled === true),
  listDeletions: Effect.map(sov.listDeletions(), ({ tombstones }) => tombstones.length),
  listKeys: Effect.map(sov.listKeys({ params }), ({ data: [one] }) => one?.id.length),
  createKey: Effect.map(sov.createKey({ params, payload: { name: "app" } }), ({ key }) => key.length),
  revokeKey: Effect.map(sov.revokeKey({ params: { ...params, key: "k1" } }), ({ id }) => id.length),
  listMembers: Effect.map(sov.listMembers({ params }), ({ data: [one] }) => one?.role.length),
  inviteMember: Effect.map(
    sov.inviteMember({ params, payload: { email: "a@acme.example", role: "member" } }),
    ({ added }) => added
  ),
  setRole: Effect.map(
    sov.setRole({ params: { ...params, member: "m1" }, payload: { role: "owner" } }),
    ({ role }) => role.length
  ),
  removeMember: Effect.map(sov.removeMember({ params: { ...params, member: "m1" } }), ({ role }) => role.length),
  usage: Effect.map(sov.usage({ query: { month: "2026-11" } }), ({ total }) => total.cost_usd.toFixed(2)),
  usageCsv: Effect.map(sov.usageCsv({ query: {} }), (csv) => csv.length)
} satisfies Record<Exclude<keyof SovOperatorClient, "organizations">, unknown>))

declare const organizations: Organizations
export const byPromise = {
  create: async () => (await organizations.create({ tracking: { brand: { name: "Acme" } } })).slug.length,
  list: async () => (await organizations.list())[0]?.slug.length,
  get: async () => (await organizations.get("acme")).plan.length,
  edit: async () => (await organizations.edit("acme", { name: "Acme 2" })).name.length,
  suspend: async () => (await organizations.suspend("acme", { reason: "not paid" })).id.length,
  resume: async () => (await organizations.resume("acme")).id.length,
  delete: async () => (await organizations.delete("acme")).requestedAt.getTime(),
  cancelDeletion: async () => (await organizations.cancelDeletion("acme")) === true,
  exportRecords: async () => {
    for await (const line of organizations.exportRecords("acme")) return line.length
    return null
  },
  usage: async () => {
    const { organizations: [one] } = await organizations.usage({ month: "2026-11" })
    return one?.platforms[0]?.costUsd.toFixed(2)
  }
} satisfies Record<keyof Organizations, unknown>

// Checks that types are not `any`: each of these lines must fail to compile
// @ts-expect-error -- a number is no directory
void openSov({ dataDir: 1 })
// @ts-expect-error -- neither directory nor server
void openSov({})
// @ts-expect-error -- no such plan
void operator.createOrganization({ plan: "gold" })
// @ts-expect-error -- no such member
void organizations.create({ brand: "Acme" })
// @ts-expect-error -- a key needs a name
void operator.createKey("acme", {})
// @ts-expect-error -- no such member
void client.sov().then(({ share }) => share)
