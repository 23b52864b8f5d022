/** sov key: API keys of the REST API and the tool server. */
import {
  apiKeyJson,
  createApiKey,
  defaultGrace,
  KeyScope,
  listApiKeys,
  maxGrace,
  revokeApiKey,
  rollApiKey
} from "@sov/core/access"
import { NotFound, Rejected } from "@sov/core/common"
import { Name, plans } from "@sov/core/organizations"
import { Duration, Effect } from "effect"
import { confirm } from "../../input/confirm.ts"
import { currentOrganization } from "../../input/currentOrganization.ts"
import { decodeInput } from "../../input/decodeInput.ts"
import { parseDuration } from "../../input/duration.ts"
import { runCommand } from "../../runtime.ts"
import type { GlobalOptions } from "../../settings/GlobalOptions.ts"
import { findKey } from "./findKey.ts"
import { parseExpiry } from "./parseExpiry.ts"

interface CreateOptions extends GlobalOptions {
  readonly name: string
  readonly scope?: ReadonlyArray<string>
  readonly expires?: string
}

export const create = (options: CreateOptions) =>
  runCommand(options, {}, ({ out }) =>
    Effect.gen(function*() {
      const organization = yield* currentOrganization(options)
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
    }))

export const list = (options: GlobalOptions) =>
  runCommand(options, { repeatable: true }, ({ out }) =>
    Effect.gen(function*() {
      const organization = yield* currentOrganization(options)
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
    }))

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
  runCommand(options, {}, ({ out }) =>
    Effect.gen(function*() {
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
          ? `The old key ${shown} works no longer.`
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
    }))

export const revoke = (options: GlobalOptions, id: string) =>
  runCommand(options, {}, ({ out }) =>
    Effect.gen(function*() {
      const organization = yield* currentOrganization(options)
      const known = (yield* listApiKeys(organization.id)).find((key) => key.id === id)
      if (known === undefined) return yield* new NotFound({ what: "key", id })
      yield* confirm(out, `Revoke the key ${known.name} (${known.prefix}…${known.lastFour}) for ever?`)
      const { revokedAt } = yield* revokeApiKey(organization.id, known.id)
      out.result(
        { id: known.id, revoked_at: revokedAt!.toISOString() },
        () => `${known.name} is revoked.`
      )
    }))
