import { BadCursor, IdempotencyMismatch as KeyReused, NotFound, Rejected } from "@sov/core/common"
import { OrganizationExists } from "@sov/core/organizations"
import { LastOwner, PersonExists } from "@sov/core/people"
import { Effect, Schema } from "effect"
import { IdempotencyMismatch, InvalidRequest, NameTaken, ResourceNotFound } from "../contract/problems.ts"
import { orProblem } from "./respond.ts"

/** Errors that mean that the request is invalid. */
type Invalid = BadCursor | LastOwner | PersonExists | Rejected
type Foreseen = Invalid | KeyReused | NotFound | OrganizationExists
type ProblemOf<E> = E extends NotFound ? ResourceNotFound
  : E extends OrganizationExists ? NameTaken
  : E extends KeyReused ? IdempotencyMismatch
  : E extends Invalid ? InvalidRequest
  : E

const isForeseen = Schema.is(
  Schema.Union([BadCursor, KeyReused, LastOwner, NotFound, OrganizationExists, PersonExists, Rejected])
)

const invalid = (slot: "query" | "body", name: string, message: string) =>
  new InvalidRequest({ errors: [{ path: [slot, name], message }] })

const toProblem = (error: Foreseen) => {
  switch (error._tag) {
    case "NotFound":
      return new ResourceNotFound({ detail: `There is no ${error.what} ${error.id}` })
    case "OrganizationExists":
      return new NameTaken({})
    case "IdempotencyMismatch":
      return new IdempotencyMismatch({})
    case "BadCursor":
      return invalid("query", "cursor", error.message)
    case "LastOwner":
      return invalid("body", "role", error.message)
    case "PersonExists":
      return invalid("body", "email", "somebody is added under this address just now; send it again")
    case "Rejected":
      return invalid("body", error.field, error.message)
  }
}

/** Turns errors of the operator's use cases into problems, and a retryable database error into 503. */
export const orOperatorProblem = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  effect.pipe(
    Effect.mapError((error) => (isForeseen(error) ? toProblem(error) : error) as ProblemOf<E>),
    orProblem
  )
