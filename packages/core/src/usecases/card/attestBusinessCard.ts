import { Effect, Result } from "effect"
import { type CardAttestation, cardHash } from "../../domain/card/BusinessCard.ts"
import { cardText, maxAttesterLength } from "../../domain/card/BusinessCardText.ts"
import type { OrganizationId } from "../../domain/ids.ts"
import { BusinessCardStore } from "../../ports/BusinessCardStore.ts"
import { Transaction } from "../../ports/Transaction.ts"
import { recordActs } from "../audit/recordActs.ts"
import { Rejected } from "../errors.ts"
import { now } from "../now.ts"

/**
 * Records that `by` attests the present card. Fails with Rejected if the card is empty, the name is not accepted, or
 * the card's hash is not `seen`.
 */
export const attestBusinessCard = Effect.fn("attestBusinessCard")(function*(
  organizationId: OrganizationId,
  by: string,
  seen?: string
) {
  const store = yield* BusinessCardStore
  const { run } = yield* Transaction
  const name = cardText(by, maxAttesterLength)
  if (Result.isFailure(name)) return yield* new Rejected({ field: "by", message: `the name ${name.failure}` })
  return yield* run(Effect.gen(function*() {
    const card = yield* store.lock(organizationId)
    if (card.size === 0) {
      return yield* new Rejected({ field: "card", message: "the business card is empty: there is nothing to attest" })
    }
    const hash = cardHash(card)
    if (seen !== undefined && seen !== hash) {
      return yield* new Rejected({ field: "hash", message: "the business card has changed since it was shown" })
    }
    const attestation: CardAttestation = { by: name.success, at: yield* now, cardHash: hash }
    yield* store.attest(organizationId, attestation)
    yield* recordActs(organizationId, [
      { action: "card.attested", subjectId: organizationId, detail: { by: attestation.by } }
    ])
    return attestation
  }))
})
