/** sov key: API keys of the REST API and the tool server. */
import {
  apiKeyJson,
  createApiKey,
  createOperatorKey,
  defaultGrace,
  KeyScope,
  listApiKeys,
  listOperatorKeys,
  maxGrace,
  operatorKeyJson,
  revokeApiKey,
  revokeOperatorKey,
  rollApiKey
} from "@sov/core/access"
import { NotFound, Rejected } from "@sov/core/common"
import { Name, plans } from "@sov/core/organizations"
import { Duration, Effect } from "effect"
import { confirm } from "../../input/confirm.ts"
import { currentOrganization } from "../../input/currentOrganization.ts"
import { decodeInput } from "../../input/decodeInput.ts"
import { parseDuration } from "../../input/duration.ts"
import { runCommand, runForOrganization } from "../../runtime.ts"
import type { GlobalOptions } from "../../settings/GlobalOptions.ts"
import { findKey } from "./findKey.ts"
import { parseExpiry } from "./parseExpiry.ts"

interface CreateOptions extends GlobalOptions {
  readonly name: string
  readonly scope?: ReadonlyArray<string>
  readonly expires?: string
  readonly operator?: boolean
}

/** Creates an operator key. */
const createOperator = (options: CreateOptions) =>
  runCommand(options, {}, function*({ out }) {
    const name = yield* decodeInput(Name, options.name, "--name")
    const expiresAt = options.expires === undefined ? null : yield* parseExpiry(options.expires)
    const { key, secret } = yield* createOperatorKey(name, expiresAt)
    out.note("This is the only time the key is shown. It manages all organizations of this server: keep it secret.")
    const { expires_at, id, prefix } = operatorKeyJson(key)
    out.result({ id, name, prefix, expires_at, key: secret }, () => secret)
  })

export const create = (options: CreateOptions) =>
  options.operator === true ? createOperator(options) : createOwn(options)

const createOwn = (options: CreateOptions) =>
  runForOrganization(options, {}, function*({ out }, organization) {
    const { key, secret } = yield* createApiKey(organization.id, yield* decodeInput(Name, options.name, "--name"), {
      ...options.scope === undefined
        ? {}
        : { scopes: yield* Effect.forEach(options.scope, (one) => decodeInput(KeyScope, one, "--scope")) },
      ...options.expires === undefined ? {} : { expiresAt: yield* parseExpiry(options.expires) }
    })
    if (!plans[organization.plan].apiAccess) {
      out.note(`note: plan ${organization.plan} cannot call the API; sov plan set pro makes this key work`)
    }
    out.note("This is the only time the key is shown.")
    const { expires_at, id, name, prefix, scopes } = apiKeyJson(key)
    out.result({ id, name, prefix, scopes, expires_at, key: secret }, () => secret)
  })

interface ChosenOptions extends GlobalOptions {
  readonly operator?: boolean
}

const listOperator = (options: GlobalOptions) =>
  runCommand(options, { repeatable: true }, function*({ out }) {
    out.list((yield* listOperatorKeys()).map(operatorKeyJson), [
      { header: "NAME", cell: (row) => row.name },
      { header: "KEY", cell: (row) => `${row.prefix}…${row.last_four}` },
      { header: "CREATED", cell: (row) => row.created_at },
      { header: "EXPIRES", cell: (row) => row.expires_at ?? "-" },
      { header: "REVOKED", cell: (row) => row.revoked_at ?? "-" },
      { header: "ID", cell: (row) => row.id }
    ], { empty: "No keys yet: sov key create --operator --name NAME" })
  })

export const list = (options: ChosenOptions) => options.operator === true ? listOperator(options) : listOwn(options)

const listOwn = (options: GlobalOptions) =>
  runForOrganization(options, { repeatable: true }, function*({ out }, organization) {
    const keys = yield* listApiKeys(organization.id)
    out.list(keys.map(apiKeyJson), [
      { header: "NAME", cell: (row) => row.name },
      { header: "KEY", cell: (row) => `${row.prefix}…${row.last_four}` },
      { header: "SCOPES", cell: (row) => row.scopes.join(", ") },
      { header: "CREATED", cell: (row) => row.created_at },
      { header: "EXPIRES", cell: (row) => row.expires_at ?? "-" },
      { header: "REVOKED", cell: (row) => row.revoked_at ?? "-" },
      { header: "ID", cell: (row) => row.id }
    ], { empty: "No keys yet: sov key create --name NAME" })
  })

const parseGrace = (text: string): Effect.Effect<Duration.Duration, Rejected> => {
  const grace = parseDuration(text)
  return grace !== null && Duration.isLessThanOrEqualTo(grace, maxGrace) ? Effect.succeed(grace) : Effect.fail(
    new Rejected({
      field: "--grace",
      message: `--grace must be minutes, hours or days, up to 30 days (30m, 24h, 7d), not ${JSON.stringify(text)}`
    })
  )
}

export const roll = (options: GlobalOptions & { readonly grace?: string; readonly now?: boolean }, idOrName: string) =>
  runCommand(options, {}, function*({ out }) {
    const grace = options.now === true
      ? Duration.zero
      : options.grace === undefined
      ? defaultGrace
      : yield* parseGrace(options.grace)
    const organization = yield* currentOrganization(options)
    const known = yield* findKey(organization.id, idOrName)
    const shown = `${known.name} (${known.prefix}…${known.lastFour})`
    if (options.now === true) yield* confirm(out, `Replace the key ${shown} and end it at once?`)
    const { key, old, secret } = yield* rollApiKey(organization.id, known.id, grace)
    const expiresAt = old.expiresAt!.toISOString()
    out.note(
      options.now === true
        ? `The old key ${shown} no longer works.`
        : `The old key ${shown} works until ${expiresAt}.`
    )
    out.note("This is the only time the new key is shown.")
    out.result(
      {
        id: key.id,
        name: key.name,
        prefix: key.prefix,
        scopes: key.scopes,
        expires_at: key.expiresAt?.toISOString() ?? null,
        key: secret,
        replaces: { id: old.id, expires_at: expiresAt }
      },
      () => secret
    )
  })

const revokeOperator = (options: GlobalOptions, id: string) =>
  runCommand(options, {}, function*({ out }) {
    const known = (yield* listOperatorKeys()).find((key) => key.id === id)
    if (known === undefined) return yield* new NotFound({ what: "key", id })
    yield* confirm(out, `Revoke the operator's key ${known.name} (${known.prefix}…${known.lastFour}) permanently?`)
    const { revokedAt } = yield* revokeOperatorKey(known.id)
    out.result({ id, revoked_at: revokedAt!.toISOString() }, () => `${known.name} is revoked.`)
  })

export const revoke = (options: ChosenOptions, id: string) =>
  options.operator === true ? revokeOperator(options, id) : revokeOwn(options, id)

const revokeOwn = (options: GlobalOptions, id: string) =>
  runForOrganization(options, {}, function*({ out }, organization) {
    const known = (yield* listApiKeys(organization.id)).find((key) => key.id === id)
    if (known === undefined) return yield* new NotFound({ what: "key", id })
    yield* confirm(out, `Revoke the key ${known.name} (${known.prefix}…${known.lastFour}) permanently?`)
    const { revokedAt } = yield* revokeApiKey(organization.id, known.id)
    out.result(
      { id: known.id, revoked_at: revokedAt!.toISOString() },
      () => `${known.name} is revoked.`
    )
  })
