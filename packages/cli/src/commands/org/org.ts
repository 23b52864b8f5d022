/** sov org: the organizations of this database. */
import {
  listOrganizations,
  Name,
  organizationJson,
  PlanId,
  provisionOrganization,
  setPlan as changePlan
} from "@sov/core/organizations"
import { decodeInput } from "../../input/decodeInput.ts"
import { readTrackingOptions, type TrackingOptions } from "../../input/trackingInput.ts"
import { runCommand, runForOrganization } from "../../runtime.ts"
import type { GlobalOptions } from "../../settings/GlobalOptions.ts"

interface CreateOptions extends GlobalOptions, TrackingOptions {
  readonly plan: string
}

export const create = (options: CreateOptions, name: string) => {
  const tracking = readTrackingOptions(options)
  return runCommand(options, { create: true }, function*({ out }) {
    const { organization } = yield* provisionOrganization({
      name: yield* decodeInput(Name, name, "name"),
      plan: yield* decodeInput(PlanId, options.plan as PlanId, "--plan"),
      tracking,
      limits: {}
    })
    out.result(organizationJson(organization), () => `Created ${organization.name} (--org ${organization.slug})`)
  })
}

export const list = (options: GlobalOptions) =>
  runCommand(options, { repeatable: true }, function*({ out }) {
    const all = yield* listOrganizations()
    out.list(all.map(organizationJson), [
      { header: "ORG", cell: (row) => row.slug },
      { header: "NAME", cell: (row) => row.name },
      { header: "PLAN", cell: (row) => row.plan },
      { header: "STATE", cell: (row) => row.suspended === null ? "active" : "suspended" },
      { header: "ID", cell: (row) => row.id }
    ], { empty: "No organization yet: sov init sets one up." })
  })

export const setPlan = (options: GlobalOptions, plan: string) =>
  runForOrganization(options, { repeatable: true }, function*({ out }, organization) {
    const chosen = yield* decodeInput(PlanId, plan as PlanId, "plan")
    yield* changePlan(organization.id, chosen)
    out.result({ organization_id: organization.id, plan: chosen }, () => `${organization.name} is on plan ${chosen}.`)
  })

export const showPlan = (options: GlobalOptions) =>
  runForOrganization(options, { repeatable: true }, function*({ out }, organization) {
    out.result(
      { organization_id: organization.id, plan: organization.plan },
      () => `${organization.name} is on plan ${organization.plan}.`
    )
  })
