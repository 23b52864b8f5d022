/** A scan goes on only where its open questions can be asked, and of its own kind of platforms. */
import {
  type AnswerPlatform,
  AnswerPlatforms,
  type CellCounts,
  checkResumable,
  type PlatformId,
  type Scan
} from "@sov/core"
import { Effect } from "effect"
import { expect, it } from "vitest"

const open = (platform: PlatformId, count: number) => ({ platform, open: count, answered: 1, failed: 0 }) as CellCounts

const check = (
  simulated: boolean,
  counts: ReadonlyArray<CellCounts>,
  configured: ReadonlyArray<Pick<AnswerPlatform, "id" | "simulated">>
) =>
  Effect.runSync(
    checkResumable({ scan: { id: "scan", simulated } as unknown as Scan, counts }).pipe(
      Effect.provideService(AnswerPlatforms, {
        all: new Map(configured.map((one) => [one.id, one as AnswerPlatform])),
        digest: "any"
      }),
      Effect.match({ onSuccess: () => null, onFailure: (error) => error })
    )
  )

it("a scan resumes only if every platform with open cells has a binding", () => {
  const counts = [open("assistant_a", 2), open("assistant_b", 0)]
  expect(check(false, counts, [{ id: "assistant_a", simulated: false }])).toBe(null)
  expect(check(false, counts, [{ id: "assistant_b", simulated: false }]))
    .toMatchObject({ _tag: "PlatformsMissing", platforms: ["assistant_a"] })
})

it("a simulated platform never finishes a real scan, nor a real platform a simulated one", () => {
  const counts = [open("assistant_a", 2)]
  for (const simulated of [false, true]) {
    expect(check(simulated, counts, [{ id: "assistant_a", simulated }])).toBe(null)
    expect(check(simulated, counts, [{ id: "assistant_a", simulated: !simulated }]))
      .toMatchObject({ _tag: "ScanKindMismatch", simulated })
  }
})
