import { Context, type Effect } from "effect"
import type { BusinessCard, CardAttestation, CardChange, CardEdit, CardField } from "../domain/card/BusinessCard.ts"
import type { OrganizationId } from "../domain/ids.ts"
import type { StoreError } from "./StoreError.ts"

/** BusinessCardStore stores the facts about the organization, the history of their edits, and attestations. */
export class BusinessCardStore extends Context.Service<BusinessCardStore, {
  /** The card as it is; empty before the first edit. */
  readonly current: (organizationId: OrganizationId) => Effect.Effect<BusinessCard, StoreError>
  /** The card as it is, locking it until the transaction ends. */
  readonly lock: (organizationId: OrganizationId) => Effect.Effect<BusinessCard, StoreError>
  /** Adds edits in the given order; the caller holds the lock. */
  readonly append: (
    organizationId: OrganizationId,
    edits: ReadonlyArray<CardEdit>,
    changedAt: Date
  ) => Effect.Effect<void, StoreError>
  /**
   * The newest edits first, of one field or of all; entered at `since` or later, or behind the one of this sequence,
   * where given.
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
  /** Adds an attestation; the caller holds the lock. */
  readonly attest: (organizationId: OrganizationId, attestation: CardAttestation) => Effect.Effect<void, StoreError>
  /** The newest attestation; null before the first. */
  readonly attestation: (organizationId: OrganizationId) => Effect.Effect<CardAttestation | null, StoreError>
}>()("@sov/core/ports/BusinessCardStore") {}
