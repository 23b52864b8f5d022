/** How an organization's reports, shared reports and e-mails look: reading and changing it. */
import { Effect, Result, Schema } from "effect"
import type { OrganizationId } from "../../domain/ids.ts"
import { type Branding, BrandingText } from "../../domain/reports/Branding.ts"
import { readLogo } from "../../domain/reports/Logo.ts"
import { BrandingStore } from "../../ports/BrandingStore.ts"
import { OrganizationStore } from "../../ports/OrganizationStore.ts"
import { runActs } from "../audit/recordActs.ts"
import { Rejected } from "../errors.ts"

/** The organization's branding; `noBranding` if it has set none. */
export const readBranding = Effect.fn("readBranding")(function*(organizationId: OrganizationId) {
  return yield* (yield* BrandingStore).find(organizationId)
})

/** The branding for the audit log: the logo as the SHA-256 of its bytes. */
const describeBranding = ({ logo, ...text }: Branding) => ({ ...text, logo: logo?.sha256 ?? null })

const edit = Effect.fnUntraced(function*(organizationId: OrganizationId, given: Partial<Branding>) {
  const [store, organizations] = yield* Effect.all([BrandingStore, OrganizationStore])
  const change = Effect.gen(function*() {
    // Without a lock, two concurrent calls could each lose the other's part
    yield* organizations.lock(organizationId)
    const before = yield* store.find(organizationId)
    const after = { ...before, ...given }
    const [old, now] = [describeBranding(before), describeBranding(after)]
    if (JSON.stringify(old) === JSON.stringify(now)) return { after, acts: [] }
    yield* store.save(organizationId, after)
    const detail = { ...now, before: old }
    return { after, acts: [{ action: "branding.changed" as const, subjectId: organizationId, detail }] }
  })
  return (yield* runActs(organizationId, change, ({ acts }) => acts)).after
})

const members = Object.entries(BrandingText.fields).map(([field, schema]) =>
  [field as keyof BrandingText, Schema.decodeUnknownResult(schema)] as const
)

/**
 * Replaces everything but the logo. Fails with Rejected, whose `field` is the member, for a colour of lines and text
 * that cannot be read on white, and for texts that are too long or have control characters.
 */
export const setBranding = Effect.fn("setBranding")(function*(organizationId: OrganizationId, given: BrandingText) {
  for (const [field, decode] of members) {
    const decoded = decode(given[field])
    if (Result.isFailure(decoded)) {
      const message = decoded.failure.message.split("\n")[0]!
      return yield* new Rejected({ field, message })
    }
  }
  return yield* edit(organizationId, given)
})

/** Replaces the logo; null removes it. Fails with Rejected (`logo`) for bytes that may not be a logo. */
export const setLogo = Effect.fn("setLogo")(function*(organizationId: OrganizationId, bytes: Uint8Array | null) {
  const logo = bytes === null ? null : readLogo(bytes)
  return typeof logo === "string"
    ? yield* new Rejected({ field: "logo", message: logo })
    : yield* edit(organizationId, { logo })
})
