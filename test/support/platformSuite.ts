/** Test suites about platforms that fail, stop or cost money. They run on each home, with a test clock. */
import type { Placement } from "@sov/core"
import type { Stores } from "@sov/core/testing"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { afterAll, describe } from "vitest"
import { serverHomeOrAll } from "./homes.ts"
import { layerLocalPlacement } from "./scriptedPlatforms.ts"
import { openStorage } from "./storage.ts"

type Run = <A, E>(program: Effect.Effect<A, E, Stores | Placement>) => Promise<A>

/** A suite whose test clock starts three minutes before the end of October 2026. */
export const describeAtMonthEnd = (declare: (run: Run) => void): void =>
  describe.each(serverHomeOrAll)("on the %s home", (home) => {
    const storage = openStorage(home)
    afterAll(storage.close)
    declare((program) =>
      storage.run(
        Effect.andThen(TestClock.setTime(Date.UTC(2026, 9, 31, 23, 57)), program).pipe(
          Effect.provide(Layer.merge(layerLocalPlacement, TestClock.layer()))
        )
      )
    )
  })
