import { afterAll, describe, it } from "vitest"
import { homes } from "../support/homes.ts"
import { openStorage } from "../support/storage.ts"
import { storeContracts } from "./index.ts"

describe.each(homes)("on the %s home", (home) => {
  const storage = openStorage(home)
  afterAll(storage.close)

  describe.each(storeContracts)("$port", ({ tests }) => {
    it.each(tests)("$name", ({ effect }) => storage.run(effect))
  })
})
