/** The operations of the operator, who runs a server with many organizations. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { OperatorAuthorization } from "./Authorization.ts"
import * as Body from "./operatorResources.ts"
import { organizationsQuery, usageQuery } from "./parameters.ts"
import { IdempotencyMismatch, NameTaken, PayloadTooLarge, ResourceNotFound, UnsupportedMediaType } from "./problems.ts"

/** An organization by its id or its short name. */
const organization = { organization: Schema.String }
const withBody = [PayloadTooLarge, UnsupportedMediaType] as const
const created = HttpApiSchema.status(201)

const listOrganizations = HttpApiEndpoint.get("listOrganizations", "/organizations", {
  query: organizationsQuery,
  success: Body.OrganizationList
})

const createOrganization = HttpApiEndpoint.post("createOrganization", "/organizations", {
  headers: { "idempotency-key": Schema.optionalKey(Schema.String) },
  payload: Body.CreateOrganization,
  success: Body.Organization.pipe(created),
  error: [NameTaken, IdempotencyMismatch, ...withBody]
})

const getOrganization = HttpApiEndpoint.get("getOrganization", "/organizations/:organization", {
  params: organization,
  success: Body.Organization,
  error: ResourceNotFound
})

const editOrganization = HttpApiEndpoint.patch("editOrganization", "/organizations/:organization", {
  params: organization,
  payload: Body.EditOrganization,
  success: Body.Organization,
  error: [ResourceNotFound, NameTaken, ...withBody]
})

const suspendOrganization = HttpApiEndpoint.post("suspendOrganization", "/organizations/:organization/suspend", {
  params: organization,
  payload: [Schema.Null, Body.SuspendOrganization],
  success: Body.Organization,
  error: [ResourceNotFound, ...withBody]
})

const resumeOrganization = HttpApiEndpoint.post("resumeOrganization", "/organizations/:organization/resume", {
  params: organization,
  success: Body.Organization,
  error: ResourceNotFound
})

const exportOrganization = HttpApiEndpoint.get("exportOrganization", "/organizations/:organization/export", {
  params: organization,
  success: Schema.Uint8Array.pipe(HttpApiSchema.asUint8Array({ contentType: "application/zip" })),
  error: ResourceNotFound
})

const deleteOrganization = HttpApiEndpoint.delete("deleteOrganization", "/organizations/:organization", {
  params: organization,
  success: Body.RequestedDeletion.pipe(HttpApiSchema.status(202)),
  error: ResourceNotFound
})

const cancelDeletion = HttpApiEndpoint.post("cancelDeletion", "/organizations/:organization/cancel-deletion", {
  params: organization,
  success: Body.CancelledDeletion,
  error: ResourceNotFound
})

const listDeletions = HttpApiEndpoint.get("listDeletions", "/deletions", { success: Body.DeletionList })

const listKeys = HttpApiEndpoint.get("listKeys", "/organizations/:organization/keys", {
  params: organization,
  success: Body.ApiKeyList,
  error: ResourceNotFound
})

const createKey = HttpApiEndpoint.post("createKey", "/organizations/:organization/keys", {
  params: organization,
  payload: Body.CreateApiKey,
  success: Body.CreatedApiKey.pipe(created),
  error: [ResourceNotFound, ...withBody]
})

const revokeKey = HttpApiEndpoint.delete("revokeKey", "/organizations/:organization/keys/:key", {
  params: { ...organization, key: Schema.String },
  success: Body.ApiKey,
  error: ResourceNotFound
})

const listMembers = HttpApiEndpoint.get("listMembers", "/organizations/:organization/members", {
  params: organization,
  success: Body.MemberList,
  error: ResourceNotFound
})

const inviteMember = HttpApiEndpoint.post("inviteMember", "/organizations/:organization/members", {
  params: organization,
  payload: Body.InviteMember,
  success: Body.InvitedMember.pipe(created),
  error: [ResourceNotFound, ...withBody]
})

const setRole = HttpApiEndpoint.patch("setRole", "/organizations/:organization/members/:member", {
  params: { ...organization, member: Schema.String },
  payload: Body.SetRole,
  success: Body.Member,
  error: [ResourceNotFound, ...withBody]
})

const removeMember = HttpApiEndpoint.delete("removeMember", "/organizations/:organization/members/:member", {
  params: { ...organization, member: Schema.String },
  success: Body.Member,
  error: ResourceNotFound
})

const usage = HttpApiEndpoint.get("usage", "/usage", {
  query: usageQuery,
  success: Body.Usage,
  error: ResourceNotFound
})

const usageCsv = HttpApiEndpoint.get("usageCsv", "/usage.csv", {
  query: usageQuery,
  success: Schema.String.pipe(HttpApiSchema.asText({ contentType: "text/csv; charset=utf-8; header=present" })),
  error: ResourceNotFound
})

/** The group `operator`: none of it is open to an organization's key. */
export const operatorGroup = HttpApiGroup.make("operator", { topLevel: true })
  .add(listOrganizations, createOrganization, getOrganization, editOrganization, suspendOrganization)
  .add(resumeOrganization, exportOrganization, deleteOrganization, cancelDeletion, listDeletions)
  .add(listKeys, createKey, revokeKey, listMembers, inviteMember, setRole, removeMember, usage, usageCsv)
  .middleware(OperatorAuthorization)
  .prefix("/api/v1")
