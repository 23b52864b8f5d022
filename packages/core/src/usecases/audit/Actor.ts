import { Context } from "effect"
import type { OperatorKey } from "../../domain/access/OperatorKey.ts"
import { type Actor as ActorValue, commandLine } from "../../domain/audit/Actor.ts"
import type { Caller } from "../access/authenticate.ts"

/**
 * The actor that the audit log names for the acts that follow. Every entry point except the command line provides it
 * with each request.
 */
export const Actor = Context.Reference<ActorValue>("@sov/core/usecases/audit/Actor", {
  defaultValue: () => commandLine
})

/** The API key of a request as an actor. */
export const actorOfCaller = ({ keyId, keyName }: Caller): ActorValue => ({
  kind: "key",
  name: keyName,
  personId: null,
  keyId
})

/** A key of the operator as an actor. */
export const actorOfOperator = ({ id, name }: OperatorKey): ActorValue => ({
  kind: "operator",
  name,
  personId: null,
  operatorKeyId: id
})
