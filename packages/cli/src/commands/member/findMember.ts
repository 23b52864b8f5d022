import { NotFound, type OrganizationId } from "@sov/core/common"
import { listMembers } from "@sov/core/people"
import { Effect } from "effect"
import { usageError } from "../../CliError.ts"

/** Finds a member by e-mail address or id, or by a name if only one member has it. */
export const findMember = Effect.fnUntraced(function*(organizationId: OrganizationId, named: string) {
  const all = yield* listMembers(organizationId)
  const exact = all.find(({ person }) => person.id === named || person.email?.toLowerCase() === named.toLowerCase())
  const [first, ...more] = all.filter(({ person }) => person.name === named)
  if (exact === undefined && more.length > 0) {
    return yield* Effect.fail(usageError(`several members have the name ${named}`, "name one by e-mail address or id"))
  }
  return exact ?? first ?? (yield* new NotFound({ what: "member", id: named }))
})
