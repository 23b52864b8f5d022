/** What workers are notified of: where there may be new work, so that nobody looks for it elsewhere. */
import { type OrganizationId, type ScanId, uuid } from "../ids.ts"

/** `any`: of a kind that the notification does not name, or that this version does not know. */
export type NewWork =
  | { readonly of: "scan"; readonly organizationId: OrganizationId; readonly scanId: ScanId }
  | { readonly of: "deliveries"; readonly organizationId: OrganizationId }
  | { readonly of: "mail" | "schedules" | "any" }

/** As a notification carries it, in ASCII. */
export const formatNewWork = (work: NewWork): string => {
  if (work.of === "scan") return `scan ${work.organizationId} ${work.scanId}`
  if (work.of === "deliveries") return `deliveries ${work.organizationId}`
  return work.of === "any" ? "" : work.of
}

const named = new RegExp(`^(?<of>scan|deliveries) (?<organization>${uuid})(?: (?<scan>${uuid}))?$`)

/** Reads a notification; whatever else it says stands for `any`. */
export const parseNewWork = (payload: string): NewWork => {
  if (payload === "mail" || payload === "schedules") return { of: payload }
  const { of, organization, scan } = named.exec(payload)?.groups ?? {}
  const organizationId = organization as OrganizationId
  if (of === "scan" && scan !== undefined) return { of, organizationId, scanId: scan as ScanId }
  if (of === "deliveries" && scan === undefined) return { of, organizationId }
  return { of: "any" }
}

/** Whether there may be new work of this kind. */
export const concerns = (work: NewWork, of: NewWork["of"]): boolean => work.of === of || work.of === "any"
