import { listApiKeys } from "@sov/core/access"
import { NotFound, type OrganizationId } from "@sov/core/common"
import { Effect } from "effect"
import { usageError } from "../../CliError.ts"

/** Finds a key by its id or name. If several have the name, the only one that is neither rolled nor revoked is used. */
export const findKey = Effect.fnUntraced(function*(organizationId: OrganizationId, idOrName: string) {
  const all = yield* listApiKeys(organizationId)
  const named = all.filter(({ name }) => name === idOrName)
  const [current, ...more] = named.filter(({ revokedAt, rolled }) => !rolled && revokedAt === null)
  const found = all.find(({ id }) => id === idOrName)
  if (found === undefined && more.length > 0) {
    return yield* Effect.fail(usageError(`several keys have the name ${idOrName}`, "name one by its id: sov key list"))
  }
  return found ?? current ?? named[0] ?? (yield* new NotFound({ what: "key", id: idOrName }))
})
