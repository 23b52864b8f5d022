import { Effect } from "effect"
import { EventId } from "../../domain/ids.ts"
import { describeTrouble, renderEndpointMail } from "../../domain/webhooks/endpointMail.ts"
import { type AttemptOutcome, DeliveryStore, type EndpointNotice } from "../../ports/DeliveryStore.ts"
import { OrganizationStore } from "../../ports/OrganizationStore.ts"
import { Transaction } from "../../ports/Transaction.ts"
import { queueMail } from "../mail/queueMail.ts"
import { newId } from "../newId.ts"
import { now } from "../now.ts"

const queueTroubleMail = Effect.fnUntraced(function*(trouble: EndpointNotice) {
  const organization = yield* (yield* OrganizationStore).find(trouble.organizationId)
  const content = renderEndpointMail(trouble, organization?.name ?? "")
  yield* queueMail(trouble.organizationId, { ...content, id: yield* newId(EventId), createdAt: yield* now })
})

/**
 * Records the outcomes of attempts. If an outcome disables an endpoint, or a delivery is given up, the organization's
 * recipients get an e-mail, queued in the same transaction, and a warning is logged.
 */
export const recordAttempts = Effect.fnUntraced(function*(outcomes: ReadonlyArray<AttemptOutcome>) {
  const deliveries = yield* DeliveryStore
  const { run } = yield* Transaction
  const troubles = yield* run(
    Effect.tap(deliveries.record(outcomes), (found) => Effect.forEach(found, queueTroubleMail))
  )
  yield* Effect.forEach(troubles, (trouble) => Effect.logWarning(describeTrouble(trouble)), { discard: true })
})
