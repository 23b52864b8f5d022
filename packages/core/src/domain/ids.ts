/**
 * Identifiers: UUIDv7 strings (RFC 9562), lower case with hyphens, branded so that the compiler distinguishes their
 * kinds.
 */
import { Schema } from "effect"

/** The form of a UUID as it is stored and shown, as part of a regular expression. */
export const uuid = "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"
/** Matches a UUID as a client may write it. */
export const uuidInAnyCase = new RegExp(`^${uuid.replaceAll("a-f", "a-fA-F")}$`)

const Uuid = Schema.String.check(Schema.isPattern(new RegExp(`^${uuid}$`)))

/** Id of an organization (tenant). */
export const OrganizationId = Uuid.pipe(Schema.brand("OrganizationId")).annotate({ identifier: "OrganizationId" })
export type OrganizationId = typeof OrganizationId.Type

/** Id of a tracked brand. */
export const BrandId = Uuid.pipe(Schema.brand("BrandId")).annotate({ identifier: "BrandId" })
export type BrandId = typeof BrandId.Type

/** Id of a tracked competitor. */
export const CompetitorId = Uuid.pipe(Schema.brand("CompetitorId")).annotate({ identifier: "CompetitorId" })
export type CompetitorId = typeof CompetitorId.Type

/** Id of a tracked prompt. */
export const KeywordId = Uuid.pipe(Schema.brand("KeywordId")).annotate({ identifier: "KeywordId" })
export type KeywordId = typeof KeywordId.Type

/** Id of an API key, not the key itself. */
export const ApiKeyId = Uuid.pipe(Schema.brand("ApiKeyId")).annotate({ identifier: "ApiKeyId" })
export type ApiKeyId = typeof ApiKeyId.Type

/** Id of an operator's key, not the key itself. */
export const OperatorKeyId = Uuid.pipe(Schema.brand("OperatorKeyId")).annotate({ identifier: "OperatorKeyId" })
export type OperatorKeyId = typeof OperatorKeyId.Type

/** Id of a share link, not its token. */
export const ShareLinkId = Uuid.pipe(Schema.brand("ShareLinkId")).annotate({ identifier: "ShareLinkId" })
export type ShareLinkId = typeof ShareLinkId.Type

/** Id of an annotation. */
export const AnnotationId = Uuid.pipe(Schema.brand("AnnotationId")).annotate({ identifier: "AnnotationId" })
export type AnnotationId = typeof AnnotationId.Type

/** Id of an experiment. */
export const ExperimentId = Uuid.pipe(Schema.brand("ExperimentId")).annotate({ identifier: "ExperimentId" })
export type ExperimentId = typeof ExperimentId.Type

/** Id of a scan. */
export const ScanId = Uuid.pipe(Schema.brand("ScanId")).annotate({ identifier: "ScanId" })
export type ScanId = typeof ScanId.Type

/** Id of a cell: one keyword on one platform, one sample, in one scan. */
export const CellId = Uuid.pipe(Schema.brand("CellId")).annotate({ identifier: "CellId" })
export type CellId = typeof CellId.Type

/** Id of an archived answer. */
export const AnswerId = Uuid.pipe(Schema.brand("AnswerId")).annotate({ identifier: "AnswerId" })
export type AnswerId = typeof AnswerId.Type

/** Id of a server process that answers API requests. */
export const ServerId = Uuid.pipe(Schema.brand("ServerId")).annotate({ identifier: "ServerId" })
export type ServerId = typeof ServerId.Type

/** Id of a charge, which records what one call to a platform used. */
export const ChargeId = Uuid.pipe(Schema.brand("ChargeId")).annotate({ identifier: "ChargeId" })
export type ChargeId = typeof ChargeId.Type

/** Id of a worker process. */
export const WorkerId = Uuid.pipe(Schema.brand("WorkerId")).annotate({ identifier: "WorkerId" })
export type WorkerId = typeof WorkerId.Type

/** Id of an event, its alert, and all its deliveries: receivers see it as `webhook-id`. */
export const EventId = Uuid.pipe(Schema.brand("EventId")).annotate({ identifier: "EventId" })
export type EventId = typeof EventId.Type

/** Id of a webhook endpoint. */
export const EndpointId = Uuid.pipe(Schema.brand("EndpointId")).annotate({ identifier: "EndpointId" })
export type EndpointId = typeof EndpointId.Type

/** Id of a webhook delivery. */
export const DeliveryId = Uuid.pipe(Schema.brand("DeliveryId")).annotate({ identifier: "DeliveryId" })
export type DeliveryId = typeof DeliveryId.Type

/** Id of a person who signs in to the dashboard. */
export const PersonId = Uuid.pipe(Schema.brand("PersonId")).annotate({ identifier: "PersonId" })
export type PersonId = typeof PersonId.Type

/** Id of a dashboard session, not its token. */
export const SessionId = Uuid.pipe(Schema.brand("SessionId")).annotate({ identifier: "SessionId" })
export type SessionId = typeof SessionId.Type

/** Id of an entry of the audit log. */
export const AuditEntryId = Uuid.pipe(Schema.brand("AuditEntryId")).annotate({ identifier: "AuditEntryId" })
export type AuditEntryId = typeof AuditEntryId.Type
