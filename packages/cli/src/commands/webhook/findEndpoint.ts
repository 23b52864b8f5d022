import { NotFound, type OrganizationId } from "@sov/core/common"
import { type Endpoint, listEndpoints } from "@sov/core/webhooks"
import { Effect } from "effect"
import { usageError } from "../../CliError.ts"

/** Finds an endpoint by its id or its exact URL. Refuses a URL that several endpoints have. */
export const findEndpoint = Effect.fnUntraced(function*(organizationId: OrganizationId, idOrUrl: string) {
  const all = yield* listEndpoints(organizationId)
  const href = URL.parse(idOrUrl)?.href
  const [found, ...more] = all.filter(({ id, url }) => id === idOrUrl || url === href)
  if (more.length > 0) {
    return yield* Effect.fail(usageError(`several endpoints have this URL`, "name one by its id: sov webhook list"))
  }
  return found satisfies Endpoint | undefined ?? (yield* new NotFound({ what: "webhook", id: idOrUrl }))
})
