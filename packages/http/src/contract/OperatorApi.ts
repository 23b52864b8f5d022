/** The operations of the operator, who runs a server with many organizations. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { OperatorAuthorization } from "./Authorization.ts"
import * as Body from "./operatorResources.ts"
import { organizationsQuery, usageQuery } from "./parameters.ts"
import { IdempotencyMismatch, NameTaken, PayloadTooLarge, ResourceNotFound, UnsupportedMediaType } from "./problems.ts"

/** The path parameter: an organization's id or short name. */
const organization = { organization: Schema.String }
const withBody = [PayloadTooLarge, UnsupportedMediaType] as const
const created = HttpApiSchema.status(201)

/** Schemas of an operation on an existing organization. */
const of = <S>(success: S) => ({ params: organization, success, error: ResourceNotFound })

/** Schemas of an operation on an existing organization with a request body. */
const changing = <P, S>(payload: P, success: S) => ({
  params: organization,
  payload,
  success,
  error: [ResourceNotFound, ...withBody] as const
})

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

const getOrganization = HttpApiEndpoint.get("getOrganization", "/organizations/:organization", of(Body.Organization))

const editOrganization = HttpApiEndpoint.patch("editOrganization", "/organizations/:organization", {
  params: organization,
  payload: Body.EditOrganization,
  success: Body.Organization,
  error: [ResourceNotFound, NameTaken, ...withBody]
})

const suspendOrganization = HttpApiEndpoint.post(
  "suspendOrganization",
  "/organizations/:organization/suspend",
  changing([Schema.Null, Body.SuspendOrganization], Body.Organization)
)

const resumeOrganization = HttpApiEndpoint.post(
  "resumeOrganization",
  "/organizations/:organization/resume",
  of(Body.Organization)
)

const exportOrganization = HttpApiEndpoint.get(
  "exportOrganization",
  "/organizations/:organization/export",
  of(Schema.Uint8Array.pipe(HttpApiSchema.asUint8Array({ contentType: "application/zip" })))
)

const deleteOrganization = HttpApiEndpoint.delete(
  "deleteOrganization",
  "/organizations/:organization",
  of(Body.RequestedDeletion.pipe(HttpApiSchema.status(202)))
)

const cancelDeletion = HttpApiEndpoint.post(
  "cancelDeletion",
  "/organizations/:organization/cancel-deletion",
  of(Body.CancelledDeletion)
)

const listDeletions = HttpApiEndpoint.get("listDeletions", "/deletions", { success: Body.DeletionList })

const listKeys = HttpApiEndpoint.get("listKeys", "/organizations/:organization/keys", of(Body.ApiKeyList))

const createKey = HttpApiEndpoint.post(
  "createKey",
  "/organizations/:organization/keys",
  changing(Body.CreateApiKey, Body.CreatedApiKey.pipe(created))
)

const revokeKey = HttpApiEndpoint.delete("revokeKey", "/organizations/:organization/keys/:key", {
  ...of(Body.ApiKey),
  params: { ...organization, key: Schema.String }
})

const listMembers = HttpApiEndpoint.get("listMembers", "/organizations/:organization/members", of(Body.MemberList))

const inviteMember = HttpApiEndpoint.post(
  "inviteMember",
  "/organizations/:organization/members",
  changing(Body.InviteMember, Body.InvitedMember.pipe(created))
)

const setRole = HttpApiEndpoint.patch("setRole", "/organizations/:organization/members/:member", {
  ...changing(Body.SetRole, Body.Member),
  params: { ...organization, member: Schema.String }
})

const removeMember = HttpApiEndpoint.delete("removeMember", "/organizations/:organization/members/:member", {
  ...of(Body.Member),
  params: { ...organization, member: Schema.String }
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

/** The group `operator`. Keys of an organization cannot call these operations. */
export const operatorGroup = HttpApiGroup.make("operator", { topLevel: true })
  .add(listOrganizations, createOrganization, getOrganization, editOrganization, suspendOrganization)
  .add(resumeOrganization, exportOrganization, deleteOrganization, cancelDeletion, listDeletions)
  .add(listKeys, createKey, revokeKey, listMembers, inviteMember, setRole, removeMember, usage, usageCsv)
  .middleware(OperatorAuthorization)
  .prefix("/api/v1")
