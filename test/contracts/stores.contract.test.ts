import { afterAll, describe, it } from "vitest"
import { homes } from "../support/homes.ts"
import { openStorage, storeRole } from "../support/storage.ts"
import { storeContracts } from "./index.ts"

/**
 * Who may act for an organization is no business of a worker, whose role gets nothing of it; these suites make persons
 * or keys.
 */
const access: ReadonlyArray<string> = [
  "ApiKeyStore",
  "AuditLog",
  "PersonStore",
  "RateLimiter",
  "SessionStore",
  "ShareLinkStore"
]
const contracts = storeContracts.filter(({ port }) => storeRole !== "worker" || !access.includes(port))

describe.each(homes)("on the %s home", (home) => {
  const storage = openStorage(home, storeRole)
  afterAll(storage.close)

  describe.each(contracts)("$port", ({ tests }) => {
    it.each(tests)("$name", ({ effect }) => storage.run(effect))
  })
})
