import { Context, type Effect } from "effect"
import type { OrganizationId } from "../domain/ids.ts"
import type { Branding } from "../domain/reports/Branding.ts"
import type { StoreError } from "./StoreError.ts"

/** BrandingStore stores how an organization's reports and e-mails look. */
export class BrandingStore extends Context.Service<BrandingStore, {
  /** `noBranding` before the first `save`. */
  readonly find: (organizationId: OrganizationId) => Effect.Effect<Branding, StoreError>
  readonly save: (organizationId: OrganizationId, branding: Branding) => Effect.Effect<void, StoreError>
}>()("@sov/core/ports/BrandingStore") {}
