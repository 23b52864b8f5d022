import { Context } from "effect"
import { type Actor as ActorValue, commandLine } from "../../domain/audit/Actor.ts"
import type { Caller } from "../access/authenticate.ts"

/**
 * Who acts in what follows: whom the audit log names. An entry beside the command line provides it with each request.
 */
export const Actor = Context.Reference<ActorValue>("@sov/core/usecases/audit/Actor", {
  defaultValue: () => commandLine
})

/** The API key of a request as the one who acts. */
export const actorOfCaller = ({ keyId, keyName }: Caller): ActorValue => ({
  kind: "key",
  name: keyName,
  personId: null,
  keyId
})
