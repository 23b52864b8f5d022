import { type Branding, BrandingStore, createShareLink, noBranding, type OrganizationId, readLogo } from "@sov/core"
import { seedOrganization } from "@sov/core/testing"
import { Effect } from "effect"
import assert from "node:assert/strict"
import { png } from "../support/logos.ts"
import { sameBytes, storeContract } from "./storeContract.ts"

/** A link to an organization's report, and how the report looks. */
export const seedSharing = Effect.fnUntraced(function*(organizationId: OrganizationId) {
  yield* createShareLink(organizationId, { name: "the board" })
  yield* (yield* BrandingStore).save(organizationId, { ...noBranding, sender: "Ünïcode", title: "\"a\"\n" })
})

/** What every BrandingStore must keep. */
export const brandingStoreContract = storeContract("BrandingStore", {
  "keeps the branding that was saved last, its logo byte by byte": Effect.fnUntraced(function*() {
    const store = yield* BrandingStore
    const { id } = yield* seedOrganization()
    assert.deepEqual(yield* store.find(id), noBranding)
    const logo = readLogo(png)
    if (typeof logo === "string") return assert.fail(logo)
    const text = {
      title: "Märkte",
      locale: "de",
      color: "#8f6300",
      band: "#e8a200",
      sender: "Nordlicht & Co",
      footer: "© 2026"
    }
    yield* store.save(id, { ...text, logo })
    const found: Branding = yield* store.find(id)
    assert.deepEqual({ ...found, logo: found.logo?.sha256 }, { ...text, logo: logo.sha256 })
    sameBytes(found.logo!.bytes, png)
    yield* store.save(id, noBranding)
    assert.deepEqual(yield* store.find(id), noBranding)
  })
})
