import { Effect } from "effect"
import { ChargeId } from "../../domain/ids.ts"
import type { Charge } from "../../domain/platforms/Cost.ts"
import { newId } from "../newId.ts"
import { now } from "../now.ts"

/** Creates a charge with the present time, without storing it. */
export const newCharge = Effect.fnUntraced(function*(fields: Pick<Charge, "scanId" | "platform" | "kind" | "usage">) {
  const charge: Charge = { id: yield* newId(ChargeId), createdAt: yield* now, ...fields }
  return charge
})
