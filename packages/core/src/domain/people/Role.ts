/** What a member of an organization may do in its dashboard. */
import { Schema } from "effect"

/**
 * `viewer` reads and downloads · `member` also starts scans and changes what is tracked, the schedule and alert rules ·
 * `owner` also manages keys, webhooks, members and the audit log.
 */
export const Role = Schema.Literals(["owner", "member", "viewer"])
export type Role = typeof Role.Type

const rank: { readonly [role in Role]: number } = { viewer: 0, member: 1, owner: 2 }

/** Whether the role includes all rights of the role `least`. */
export const atLeast = (role: Role, least: Role): boolean => rank[role] >= rank[least]
