/**
 * Identifiers: UUIDv7 strings (RFC 9562), lower case with hyphens, branded so that one kind never passes for another.
 */
import { Schema } from "effect"

const uuid = <B extends string>(brand: B, title: string) =>
  Schema.String.pipe(
    Schema.check(Schema.isPattern(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/)),
    Schema.brand(brand)
  ).annotate({ identifier: brand, title })

export const OrganizationId = uuid("OrganizationId", "Organization id")
export type OrganizationId = typeof OrganizationId.Type

export const BrandId = uuid("BrandId", "Brand id")
export type BrandId = typeof BrandId.Type

export const CompetitorId = uuid("CompetitorId", "Competitor id")
export type CompetitorId = typeof CompetitorId.Type

export const KeywordId = uuid("KeywordId", "Keyword id")
export type KeywordId = typeof KeywordId.Type

export const ApiKeyId = uuid("ApiKeyId", "API key id")
export type ApiKeyId = typeof ApiKeyId.Type

export const ScanId = uuid("ScanId", "Scan id")
export type ScanId = typeof ScanId.Type

export const CellId = uuid("CellId", "Cell id")
export type CellId = typeof CellId.Type

export const AnswerId = uuid("AnswerId", "Archived answer id")
export type AnswerId = typeof AnswerId.Type
