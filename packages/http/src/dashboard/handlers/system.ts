import { listOrganizations } from "@sov/core/organizations"
import { isOperator } from "@sov/core/people"
import { readSystemStatus } from "@sov/core/workers"
import { Effect } from "effect"
import type { OrganizationRequest } from "../guard/PageRequest.ts"
import { showPage } from "../guard/Reply.ts"
import { systemPage } from "../pages/system.ts"

/** GET /o/{slug}/settings/system: everybody except the operator sees only the scans of this organization. */
export const showSystem = Effect.fnUntraced(
  function*({ frame, mailOrigin, organization, visitor }: OrganizationRequest) {
    const operator = yield* isOperator(visitor.person.id)
    const { mail, running, workers } = yield* readSystemStatus()
    const names = operator
      ? (yield* listOrganizations()).map(({ id, name }) => [id, name] as const)
      : [[organization.id, organization.name] as const]
    return showPage(systemPage(frame, {
      workers,
      running: running.filter(({ organizationId }) => operator || organizationId === organization.id),
      mail: operator ? mail : null,
      names: new Map(names),
      canMail: mailOrigin !== null
    }))
  }
)
