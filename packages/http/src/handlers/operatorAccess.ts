/** Keys and members of an organization as the operator manages them. */
import { apiKeyJson, createApiKey, listApiKeys, revokeApiKey } from "@sov/core/access"
import { type ApiKeyId, dateBound, NotFound, type PersonId } from "@sov/core/common"
import { EmailAddress } from "@sov/core/mail"
import { findOrganization } from "@sov/core/organizations"
import {
  invitedMemberJson,
  inviteMember as invite,
  listMembers as list,
  memberJson,
  removeMember as remove,
  setRole as set
} from "@sov/core/people"
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import * as Body from "../contract/operatorResources.ts"
import { ServerSettings } from "../ServerSettings.ts"
import { requireJsonBody } from "./jsonBody.ts"
import type { Named } from "./operator.ts"
import { orOperatorProblem } from "./orOperatorProblem.ts"
import { respondJson } from "./respond.ts"

/** GET /api/v1/organizations/{organization}/keys */
export const listKeys = Effect.fnUntraced(function*({ params }: Named) {
  const { id } = yield* findOrganization(params.organization)
  const body: typeof Body.ApiKeyList.Encoded = { data: (yield* listApiKeys(id)).map(apiKeyJson) }
  return yield* respondJson(body, id)
}, orOperatorProblem)

const readKey = requireJsonBody(Body.CreateApiKey)

/** POST /api/v1/organizations/{organization}/keys */
export const createKey = Effect.fnUntraced(function*({ params }: Named) {
  const { expires_at: expires, name, scopes } = yield* readKey
  const { id } = yield* findOrganization(params.organization)
  const { key, secret } = yield* createApiKey(id, name, {
    ...scopes === undefined ? {} : { scopes },
    ...expires === undefined ? {} : { expiresAt: dateBound(expires, "from") }
  })
  const body: typeof Body.CreatedApiKey.Encoded = { ...apiKeyJson(key), key: secret }
  return HttpServerResponse.jsonUnsafe(body, { status: 201 })
}, orOperatorProblem)

/** DELETE /api/v1/organizations/{organization}/keys/{key} */
export const revokeKey = Effect.fnUntraced(
  function*({ params }: { readonly params: Named["params"] & { readonly key: string } }) {
    const { id } = yield* findOrganization(params.organization)
    const body: typeof Body.ApiKey.Encoded = apiKeyJson(yield* revokeApiKey(id, params.key as ApiKeyId))
    return HttpServerResponse.jsonUnsafe(body)
  },
  orOperatorProblem
)

/** GET /api/v1/organizations/{organization}/members */
export const listMembers = Effect.fnUntraced(function*({ params }: Named) {
  const { id } = yield* findOrganization(params.organization)
  const body: typeof Body.MemberList.Encoded = { data: (yield* list(id)).map(memberJson) }
  return yield* respondJson(body, id)
}, orOperatorProblem)

const readInvitation = requireJsonBody(Body.InviteMember)

/** POST /api/v1/organizations/{organization}/members */
export const inviteMember = Effect.fnUntraced(function*({ params }: Named) {
  const { email, name, role = "viewer" } = yield* readInvitation
  const { id } = yield* findOrganization(params.organization)
  const { host, port, publicUrl } = yield* ServerSettings
  const origin = publicUrl?.replace(/\/$/, "") ?? `http://${host}:${port}`
  const invited = yield* invite(id, { email: EmailAddress.make(email), name, role, origin })
  const body: typeof Body.InvitedMember.Encoded = invitedMemberJson(invited)
  return HttpServerResponse.jsonUnsafe(body, { status: 201 })
}, orOperatorProblem)

interface NamedMember {
  readonly params: Named["params"] & { readonly member: string }
}

/** The organization's id and the id of one of its members, who is named by id or e-mail address. */
const findMember = Effect.fnUntraced(function*({ params }: NamedMember) {
  const { id } = yield* findOrganization(params.organization)
  const member = (yield* list(id)).find(({ person }) => person.id === params.member || person.email === params.member)
  return { id, member: member ?? (yield* new NotFound({ what: "member", id: params.member })) }
})

const respondMember = (member: Parameters<typeof memberJson>[0]) => {
  const body: typeof Body.Member.Encoded = memberJson(member)
  return HttpServerResponse.jsonUnsafe(body)
}

const readRole = requireJsonBody(Body.SetRole)

/** PATCH /api/v1/organizations/{organization}/members/{member} */
export const setRole = Effect.fnUntraced(function*(named: NamedMember) {
  const { role } = yield* readRole
  const { id, member } = yield* findMember(named)
  yield* Effect.catchTag(set(id, member.person.id satisfies PersonId, role), "ChangedMeanwhile", Effect.die)
  return respondMember({ ...member, role })
}, orOperatorProblem)

/** DELETE /api/v1/organizations/{organization}/members/{member} */
export const removeMember = Effect.fnUntraced(function*(named: NamedMember) {
  const { id, member } = yield* findMember(named)
  yield* Effect.catchTag(remove(id, member.person.id), "ChangedMeanwhile", Effect.die)
  return respondMember(member)
}, orOperatorProblem)
