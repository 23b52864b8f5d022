/** Organizations, their plans and quotas. */

export * from "../domain/organizations/HistoryWindow.ts"
export * from "../domain/organizations/Organization.ts"
export * from "../domain/organizations/Plan.ts"
export * from "../domain/organizations/Quota.ts"
export * from "../domain/organizations/Tombstone.ts"

export * from "../json/organizations.ts"
export * from "../json/usage.ts"

export * from "../ports/OrganizationData.ts"
export * from "../ports/OrganizationStore.ts"
export * from "../ports/QuotaLedger.ts"

export * from "../usecases/organizations/createOrganization.ts"
export * from "../usecases/organizations/deleteOrganization.ts"
export * from "../usecases/organizations/editOrganization.ts"
export * from "../usecases/organizations/exportRecords.ts"
export * from "../usecases/organizations/findScanBar.ts"
export * from "../usecases/organizations/initialize.ts"
/** The earlier name. */
export { setUpTracking as trackFrom } from "../usecases/organizations/initialize.ts"
export * from "../usecases/organizations/provisionOrganization.ts"
export * from "../usecases/organizations/reads.ts"
export * from "../usecases/organizations/readUsage.ts"
export * from "../usecases/organizations/setPlan.ts"
export * from "../usecases/organizations/setScanQuota.ts"
