/**
 * Notifications to workers about new work. They name the place of the work, so that workers do not search elsewhere.
 */
import { type OrganizationId, type ScanId, uuid } from "../ids.ts"

/** `any`: work of a kind that the notification does not name, or that this version does not know. */
export type NewWork =
  | { readonly of: "scan"; readonly organizationId: OrganizationId; readonly scanId: ScanId }
  | { readonly of: "deliveries"; readonly organizationId: OrganizationId }
  | { readonly of: "mail" | "schedules" | "any" }

/** Formats new work as the ASCII text of a notification. */
export const formatNewWork = (work: NewWork): string => {
  if (work.of === "scan") return `scan ${work.organizationId} ${work.scanId}`
  if (work.of === "deliveries") return `deliveries ${work.organizationId}`
  return work.of === "any" ? "" : work.of
}

const named = new RegExp(`^(?<of>scan|deliveries) (?<organization>${uuid})(?: (?<scan>${uuid}))?$`)

/** Parses a notification; any unknown text means `any`. */
export const parseNewWork = (payload: string): NewWork => {
  if (payload === "mail" || payload === "schedules") return { of: payload }
  const { of, organization, scan } = named.exec(payload)?.groups ?? {}
  const organizationId = organization as OrganizationId
  if (of === "scan" && scan !== undefined) return { of, organizationId, scanId: scan as ScanId }
  if (of === "deliveries" && scan === undefined) return { of, organizationId }
  return { of: "any" }
}

/** Whether the notification may announce new work of this kind. */
export const concerns = (work: NewWork, of: NewWork["of"]): boolean => work.of === of || work.of === "any"
