/** API access: listing, creating, rolling and revoking keys. */
import {
  type ApiKey,
  apiKeyJson,
  createApiKey,
  KeyScope,
  listApiKeys,
  listKeysWithMakers,
  revokeApiKey,
  rollApiKey
} from "@sov/core/access"
import { makeFormId, runOnce } from "@sov/core/audit"
import { dateBound } from "@sov/core/common"
import { Name, plans } from "@sov/core/organizations"
import { Duration, Effect, Schema } from "effect"
import { noSuchPage, PageRefused } from "../guard/PageRefused.ts"
import type { OrganizationRequest } from "../guard/PageRequest.ts"
import { columnsOf, sendCsv, showPage } from "../guard/Reply.ts"
import {
  type ApiAccessContent,
  apiAccessPage,
  emptyKeyInput,
  graceChoices,
  keyList,
  revokeKeyPage,
  rollKeyPage
} from "../pages/apiAccess.ts"
import { readFormId, readText } from "./forms.ts"
import { readListView } from "./listView.ts"
import { redirectTo, replyWithPage } from "./replies.ts"

const makePage = Effect.fnUntraced(function*(
  request: OrganizationRequest,
  given: Partial<Pick<ApiAccessContent, "formId" | "input" | "faults" | "made">> = {}
) {
  const { frame, organization, serverUrl } = request
  return apiAccessPage(frame, {
    view: yield* readListView(request, keyList),
    plan: organization.plan,
    keys: yield* listKeysWithMakers(organization.id),
    serverUrl,
    formId: yield* makeFormId,
    input: emptyKeyInput,
    faults: {},
    made: null,
    ...given
  })
})

/** GET /o/{slug}/settings/api?q=&sort= */
export const showApiAccess = (request: OrganizationRequest) => replyWithPage(makePage(request))

type Line = ReturnType<typeof apiKeyJson> & { readonly created_by: string | null }

/** GET /o/{slug}/settings/api.csv */
export const downloadKeys = Effect.fnUntraced(function*({ organization }: OrganizationRequest) {
  const keys = yield* listKeysWithMakers(organization.id)
  return sendCsv<Line>("api-keys.csv", {
    ...columnsOf<Line>("id", "name", "prefix", "last_four"),
    scopes: ({ scopes }) => scopes.join(" "),
    ...columnsOf<Line>("created_at", "created_by", "expires_at", "last_used_at", "revoked_at")
  }, keys.map(({ key, maker }) => ({ ...apiKeyJson(key), created_by: maker?.name ?? null })))
})

const isName = Schema.is(Name)
const isScope = Schema.is(KeyScope)

const path = "/settings/api"

/** Plans below Pro cannot create keys. */
const requireApiAccess = ({ organization: { plan } }: OrganizationRequest) =>
  plans[plan].apiAccess ? Effect.void : Effect.fail(
    new PageRefused({ status: 403, words: `The ${plan} plan does not include API access; Pro and above do.` })
  )

/**
 * POST /o/{slug}/settings/api: creates a key, which is shown only in this response. Sending a form again creates no
 * second key.
 */
export const makeKey = Effect.fnUntraced(function*(request: OrganizationRequest) {
  const { form, organization } = request
  yield* requireApiAccess(request)
  const formId = yield* readFormId(request)
  const input = {
    name: readText(request, "name"),
    scopes: form.getAll("scope"),
    expires: readText(request, "expires")
  }
  const expiresAt = input.expires === "" ? null : dateBound(input.expires, "from")
  const faults = {
    ...isName(input.name) ? {} : { name: "Enter a name of 1 to 200 characters, without control characters." },
    ...input.scopes.length > 0 && input.scopes.every(isScope) ? {} : { scopes: "Choose at least one scope." },
    ...input.expires === "" || (expiresAt !== null && expiresAt > request.at)
      ? {}
      : { expires: "Enter a future day such as 2030-01-31, or leave the field empty." }
  }
  if (Object.keys(faults).length > 0) {
    return yield* replyWithPage(makePage(request, { formId, input, faults }), { status: 422 })
  }
  const create = createApiKey(organization.id, input.name, { scopes: input.scopes.filter(isScope), expiresAt })
  return yield* runOnce(organization.id, formId, create).pipe(
    Effect.flatMap(({ key, secret }) =>
      replyWithPage(makePage(request, { made: { key, secret, replaced: null } }), { secret: true })
    ),
    Effect.catchTag("DoneBefore", () => Effect.succeed(redirectTo(request, path, "key-made-before")))
  )
})

const findKey = Effect.fnUntraced(function*({ organization, params }: OrganizationRequest) {
  const found: ApiKey | undefined = (yield* listApiKeys(organization.id)).find((key): boolean =>
    key.id === params["id"]
  )
  return found ?? (yield* noSuchPage)
})

/** GET /o/{slug}/settings/api/{id}/roll */
export const showRollKey = Effect.fnUntraced(function*(request: OrganizationRequest) {
  yield* requireApiAccess(request)
  const [key, formId] = [yield* findKey(request), yield* makeFormId]
  return showPage(rollKeyPage(request.frame, { key, formId, grace: graceChoices[0][0], fault: undefined }))
})

/** POST /o/{slug}/settings/api/{id}/roll: replaces a key; the new key is shown only in this response. */
export const rollKey = Effect.fnUntraced(function*(request: OrganizationRequest) {
  const { form, frame, organization } = request
  yield* requireApiAccess(request)
  const key = yield* findKey(request)
  const formId = yield* readFormId(request)
  const grace = form.get("grace") ?? ""
  if (!graceChoices.some(([value]) => value === grace)) {
    const page = rollKeyPage(frame, { key, formId, grace, fault: "Choose how long the old key keeps working." })
    return showPage(page, { status: 422 })
  }
  const roll = rollApiKey(organization.id, key.id, Duration.seconds(Number(grace)))
  return yield* runOnce(organization.id, formId, roll).pipe(
    Effect.flatMap((rolled) =>
      replyWithPage(makePage(request, { made: { key: rolled.key, secret: rolled.secret, replaced: rolled.old } }), {
        secret: true
      })
    ),
    Effect.catchTags({
      DoneBefore: () => Effect.succeed(redirectTo(request, path, "key-made-before")),
      KeyEnded: () =>
        Effect.fail(new PageRefused({ status: 409, words: "This key has expired or was already rolled." }))
    })
  )
})

/** GET /o/{slug}/settings/api/{id}/revoke */
export const showRevokeKey = Effect.fnUntraced(function*(request: OrganizationRequest) {
  const [key, formId] = [yield* findKey(request), yield* makeFormId]
  return showPage(revokeKeyPage(request.frame, { key, formId }))
})

/** POST /o/{slug}/settings/api/{id}/revoke: succeeds even if the key is already revoked. */
export const revokeKey = Effect.fnUntraced(function*(request: OrganizationRequest) {
  const { organization } = request
  const [key, formId] = [yield* findKey(request), yield* readFormId(request)]
  return yield* runOnce(organization.id, formId, revokeApiKey(organization.id, key.id)).pipe(
    Effect.catchTag("DoneBefore", () => Effect.void),
    Effect.as(redirectTo(request, path, "key-revoked"))
  )
})
