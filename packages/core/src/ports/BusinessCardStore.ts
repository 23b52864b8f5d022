import { Context, type Effect } from "effect"
import type { BusinessCard, CardAttestation, CardChange, CardEdit, CardField } from "../domain/card/BusinessCard.ts"
import type { CardDecision } from "../domain/card/claims/judgedFacts.ts"
import type { AnswerId, OrganizationId } from "../domain/ids.ts"
import type { StoreError } from "./StoreError.ts"

/** BusinessCardStore stores facts about the organization, their edit history, attestations, and a judge's decisions. */
export class BusinessCardStore extends Context.Service<BusinessCardStore, {
  /** The current card; empty before the first edit. */
  readonly current: (organizationId: OrganizationId) => Effect.Effect<BusinessCard, StoreError>
  /** The current card, locked until the transaction ends. */
  readonly lock: (organizationId: OrganizationId) => Effect.Effect<BusinessCard, StoreError>
  /** Adds edits in the given order. The caller must hold the lock. */
  readonly append: (
    organizationId: OrganizationId,
    edits: ReadonlyArray<CardEdit>,
    changedAt: Date
  ) => Effect.Effect<void, StoreError>
  /**
   * Edits of one field or of all, newest first; with `since`, only edits entered at that time or later; with a sequence
   * number, only edits that follow it.
   */
  readonly history: (
    organizationId: OrganizationId,
    page: {
      readonly limit: number
      readonly field?: CardField | undefined
      readonly since?: Date | null
      readonly before?: number | undefined
    }
  ) => Effect.Effect<ReadonlyArray<CardChange>, StoreError>
  /** Adds an attestation. The caller must hold the lock. */
  readonly attest: (organizationId: OrganizationId, attestation: CardAttestation) => Effect.Effect<void, StoreError>
  /** The newest attestation; null if there is no attestation. */
  readonly attestation: (organizationId: OrganizationId) => Effect.Effect<CardAttestation | null, StoreError>
  /** Adds a judge's decisions; if one already exists for the same answer and fact, it is left unchanged. */
  readonly addDecisions: (
    organizationId: OrganizationId,
    decisions: ReadonlyArray<CardDecision>
  ) => Effect.Effect<void, StoreError>
  /** The decisions on these facts and answers, in the order of the answers' ids. */
  readonly decisions: (
    organizationId: OrganizationId,
    answerIds: ReadonlyArray<AnswerId>,
    factHashes: ReadonlyArray<CardDecision["factHash"]>
  ) => Effect.Effect<ReadonlyArray<CardDecision>, StoreError>
}>()("@sov/core/ports/BusinessCardStore") {}
