/** sov key: API keys of the REST API and the tool server. */
import { ApiKeyId, apiKeyJson, ApiKeyStore, createApiKey, Name, NotFound, plans, revokeApiKey } from "@sov/core"
import { Effect, Schema } from "effect"
import { confirm } from "../input/confirm.ts"
import { currentOrganization } from "../input/currentOrganization.ts"
import { decodeInput } from "../input/decodeInput.ts"
import { runCommand } from "../runtime.ts"
import type { GlobalOptions } from "../settings/GlobalOptions.ts"

export const create = (options: GlobalOptions & { readonly name: string }) =>
  runCommand(options, {}, ({ out }) =>
    Effect.gen(function*() {
      const organization = yield* currentOrganization(options)
      const { key, secret } = yield* createApiKey(organization.id, yield* decodeInput(Name, options.name, "--name"))
      if (!plans[organization.plan].apiAccess) {
        out.note(`note: plan ${organization.plan} cannot call the API; sov plan set pro makes this key work`)
      }
      out.note("This is the only time the key is shown.")
      out.result({ id: key.id, name: key.name, prefix: key.prefix, key: secret }, () => secret)
    }))

export const list = (options: GlobalOptions) =>
  runCommand(options, { repeatable: true }, ({ out }) =>
    Effect.gen(function*() {
      const organization = yield* currentOrganization(options)
      const keys = yield* (yield* ApiKeyStore).list(organization.id)
      out.list(keys.map(apiKeyJson), [
        { header: "NAME", cell: (row) => row.name },
        { header: "KEY", cell: (row) => `${row.prefix}…${row.last_four}` },
        { header: "CREATED", cell: (row) => row.created_at },
        { header: "REVOKED", cell: (row) => row.revoked_at ?? "-" },
        { header: "ID", cell: (row) => row.id }
      ], { empty: "No keys yet: sov key create --name NAME" })
    }))

export const revoke = (options: GlobalOptions, id: string) =>
  runCommand(options, {}, ({ out }) =>
    Effect.gen(function*() {
      const organization = yield* currentOrganization(options)
      const store = yield* ApiKeyStore
      const known = Schema.is(ApiKeyId)(id)
        ? (yield* store.list(organization.id)).find((key) => key.id === id)
        : undefined
      if (known === undefined) return yield* new NotFound({ what: "key", id })
      yield* confirm(out, `Revoke the key ${known.name} (${known.prefix}…${known.lastFour}) for ever?`)
      const { revokedAt } = yield* revokeApiKey(organization.id, known.id)
      out.result(
        { id: known.id, revoked_at: revokedAt!.toISOString() },
        () => `${known.name} is revoked.`
      )
    }))
