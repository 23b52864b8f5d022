import { type Branding, BrandingStore, noBranding, readLogo } from "@sov/core"
import { seedOrganization } from "@sov/core/testing"
import { Effect } from "effect"
import assert from "node:assert/strict"
import { png } from "../support/logos.ts"
import { sameBytes, storeContract } from "./storeContract.ts"

/** What every BrandingStore must keep. */
export const brandingStoreContract = storeContract("BrandingStore", {
  "keeps the branding that was saved last, its logo byte by byte": Effect.fnUntraced(function*() {
    const store = yield* BrandingStore
    const { id } = yield* seedOrganization()
    assert.deepEqual(yield* store.find(id), noBranding)
    const logo = readLogo(png)
    if (typeof logo === "string") return assert.fail(logo)
    const text = { title: "Märkte", color: "#8f6300", band: "#e8a200", sender: "Nordlicht & Co", footer: "© 2026" }
    yield* store.save(id, { ...text, logo })
    const found: Branding = yield* store.find(id)
    assert.deepEqual({ ...found, logo: found.logo?.sha256 }, { ...text, logo: logo.sha256 })
    sameBytes(found.logo!.bytes, png)
    yield* store.save(id, noBranding)
    assert.deepEqual(yield* store.find(id), noBranding)
  })
})
