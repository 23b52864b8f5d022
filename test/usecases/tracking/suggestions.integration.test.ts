/** Untracked brands in an archive: suggested, accepted with the history measured again, ignored for good. */
import {
  acceptSuggestion,
  AnswerPlatforms,
  ConfiguredJudge,
  describeExample,
  ignoreSuggestion,
  type Judge,
  judgeSuggestions,
  MeasurementStore,
  readRecentSuggestions,
  readUntrackedNames,
  resumeOrganization,
  ScoreStore,
  setOrganizationLimits,
  suggestCompetitors,
  suspendOrganization,
  UsageStore,
  wholeHistory
} from "@sov/core"
import { type Duration, Effect } from "effect"
import { afterAll, describe, expect, it } from "vitest"
import { scanWith, seed } from "../../support/completedScans.ts"
import { serverHomeOrAll } from "../../support/homes.ts"
import { scriptedPlatform } from "../../support/scriptedPlatforms.ts"
import { openStorage } from "../../support/storage.ts"

const answer = (keyword: number, platform: string) =>
  platform === "assistant_a"
    ? `- **Zorvik Anvil ${keyword}00**: sturdy.\n- **Acme Forge Mini**: small.\n- **Hooli Press ${keyword}**: loud.`
    : "Most smiths like a Zorvik or a Hooli Press; Globex is dear."

describe.each(serverHomeOrAll)("on the %s home", (home) => {
  const { close, run } = openStorage(home)
  afterAll(close)

  it("names in answers are suggested unless tracked or ignored, and accepting one measures earlier scans again", () =>
    run(Effect.gen(function*() {
      const id = yield* seed
      const scans = [yield* scanWith(id, 100, answer), yield* scanWith(id, 200, answer)]
      let read = 0
      const find = (maxAnswers: number) =>
        suggestCompetitors(id, wholeHistory, { maxAnswers }, (answers) => read += answers)
      const names = Effect.map(find(1000), ({ suggestions }) => suggestions.map(({ name }) => name))

      const found = yield* find(1000)
      expect(found).toMatchObject({ scans: 2, answers: 24, simulated: false, isPart: false })
      expect(read).toBe(48)
      expect(found.suggestions.map(({ name }) => name).toSorted()).toEqual(["Hooli", "Zorvik"])
      const zorvik = found.suggestions.find(({ name }) => name === "Zorvik")!
      // Beside the brand on one platform, beside a competitor on the other
      expect(zorvik).toMatchObject({ answers: 24, cells: 12, keywords: 6, share: expect.closeTo(50) })
      expect(yield* find(12)).toMatchObject({ scans: 1, answers: 12, isPart: true })
      // Of two platforms, one gives answers of more than 80 signs
      expect(yield* suggestCompetitors(id, wholeHistory, { maxAnswers: 1000, maxLength: 80 }, () => {})).toMatchObject({
        answers: 12,
        tooLong: 12
      })

      const [replies, asked]: [Array<ReadonlyArray<string> | null>, Array<ReadonlyArray<string>>] = [
        [["Zorvik"], null],
        []
      ]
      const usage = { inputTokens: 100, outputTokens: 2, costUsd: 0.25 }
      const nameJudge: Judge = {
        platform: "assistant_a",
        by: "assistant_a m-1",
        ask: ({ prompt, read }) =>
          Effect.sync(() => {
            const names = [...prompt("|").matchAll(/^\d+\. "(.*)"$/gm)].map(([, name = ""]) => name)
            asked.push(names)
            const numbers = replies.shift()?.map((name) => names.indexOf(name) + 1)
            return { verdict: read(numbers?.join(", ") ?? "?"), usage }
          })
      }
      const judge = judgeSuggestions(id, found, { limit: 20, describe: describeExample }).pipe(
        Effect.provideService(AnswerPlatforms, {
          all: new Map([["assistant_a" as const, scriptedPlatform("assistant_a", () => Effect.die("is not asked"))]]),
          digest: "d"
        })
      )
      expect(yield* Effect.flip(judge)).toMatchObject({ _tag: "Rejected", field: "judge" })
      const judged = Effect.provideService(judge, ConfiguredJudge, nameJudge)
      expect(yield* judged).toMatchObject({
        suggestions: [{ name: "Zorvik" }],
        judgedBy: "assistant_a m-1",
        dropped: ["Hooli"],
        failure: null
      })
      expect(yield* judged).toMatchObject({ dropped: [], failure: "assistant_a: the reply is no list of numbers" })
      expect(asked.map((names) => names.toSorted())).toEqual([["Hooli", "Zorvik"], ["Hooli", "Zorvik"]])
      expect(yield* (yield* UsageStore).ofScan(id, scans[1]!.id)).toMatchObject([
        { platform: "assistant_a", charges: 2, costUsd: expect.closeTo(0.5) },
        { platform: "assistant_b", charges: 0 }
      ])

      yield* setOrganizationLimits(id, { monthlyBudgetUsd: 0.5 })
      expect((yield* judged).failure).toContain("budget of $0.50")
      yield* setOrganizationLimits(id, { monthlyBudgetUsd: null })
      yield* suspendOrganization(id, null)
      expect(yield* Effect.flip(judged)).toMatchObject({ _tag: "OrganizationSuspended" })
      yield* resumeOrganization(id)
      expect(asked).toHaveLength(2)

      // A page shows them again without another search, until what they rest on changes
      const recent = readRecentSuggestions(id, wholeHistory, { maxAnswers: 500 }, "1 minute")
      const withoutSearch = Effect.provideService(recent, MeasurementStore, {
        ...yield* MeasurementStore,
        newest: () => Effect.die("searched")
      })
      expect((yield* recent)?.suggestions.map(({ name }) => name).toSorted()).toEqual(["Hooli", "Zorvik"])
      expect((yield* withoutSearch)?.answers).toBe(24)
      const untracked = (rawResponse: string) =>
        readUntrackedNames(id, wholeHistory, { promptUsed: "", rawResponse }, "1 minute")
      expect(yield* untracked("1. Hooli Press\n2. A Zorvik\n3. Acme Forge")).toEqual(["Hooli", "Zorvik"])
      expect(yield* untracked("Acme Forge and Globex.")).toEqual([])
      expect(yield* ignoreSuggestion(id, "HOOLI")).toBe(true)
      expect(String(yield* Effect.exit(withoutSearch))).toContain("searched")
      expect((yield* recent)?.suggestions.map(({ name }) => name)).toEqual(["Zorvik"])
      const fromSecond = { since: scans[1]!.startedAt }
      expect((yield* readRecentSuggestions(id, fromSecond, { maxAnswers: 500 }, "1 minute"))?.answers).toBe(12)
      const other = (maxDuration: Duration.Input) =>
        readRecentSuggestions(id, fromSecond, { maxAnswers: 400 }, maxDuration)
      const stuck = { ...yield* MeasurementStore, newest: () => Effect.never }
      expect(yield* Effect.provideService(other("1 millis"), MeasurementStore, stuck)).toBe(null)
      // For a minute nothing else is tried
      expect(yield* other("1 minute")).toBe(null)
      expect(yield* ignoreSuggestion(id, "Hooli")).toBe(false)
      expect(yield* names).toEqual(["Zorvik"])

      const { changed, done, entity } = yield* acceptSuggestion(id, "Zorvik", () => {})
      expect([changed, done.answers, done.scores]).toEqual([true, 24, 2])
      for (const scan of scans) {
        const score = (yield* (yield* ScoreStore).ofScan(id, scan.id))!
        expect(score.competitors.find((one) => one.id === entity.id)!.sov).toBe(50)
      }
      expect(yield* names).toEqual([])
      expect(yield* acceptSuggestion(id, "Zorvik", () => {})).toMatchObject({ changed: false, done: { answers: 0 } })
    })))
})
