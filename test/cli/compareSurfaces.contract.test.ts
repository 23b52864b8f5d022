/**
 * 200 captured app answers against 200 API answers to the same questions: command and page show the figures that a
 * second, independent calculation finds. Recorded answers where `SOV_RECORDED_ANSWERS` is set, else invented ones.
 */
import {
  addKeywords,
  compileTerms,
  importCaptured,
  measureWithTerms,
  type PlatformId,
  readCapturedFile,
  readSurfaces,
  readTrackedSet,
  setTrackedSet,
  surfacesJson
} from "@sov/core"
import { seedOrganization } from "@sov/core/testing"
import { Effect } from "effect"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, expect, it } from "vitest"
import { surfacesText } from "../../packages/cli/src/commands/compare/surfaces.ts"
import { scanWith } from "../support/completedScans.ts"
import { openDashboard, pathOf, type TestDashboard, wordsOf } from "../support/dashboardServer.ts"
import { oneHome } from "../support/homes.ts"
import { marketAnswers, recorded } from "../support/recordedMarkets.ts"
import { seededRandom } from "../support/seededRandom.ts"

const platforms: ReadonlyArray<PlatformId> = ["assistant_a", "assistant_b"]
const pairs = 200

interface Pair {
  readonly question: string
  readonly platform: PlatformId
  readonly api: string
  readonly app: string
}

interface Names {
  readonly brand: string
  readonly competitors: ReadonlyArray<string>
}

/** The first two of three recorded runs of the same questions on two engines. */
const recordedPairs = (): ReadonlyArray<Pair> => {
  const all = marketAnswers()
  const runs = Map.groupBy(all, ({ platform, prompt }) => `${platform} ${prompt}`)
  const questions = [...new Set(all.map(({ prompt }) => prompt))].slice(0, pairs / 2)
  return questions.flatMap((question) =>
    platforms.map((platform): Pair => {
      const [api, app] = runs.get(`${platform} ${question}`)!
      return { question, platform, api: api!.answer, app: app!.answer }
    })
  )
}

const recordedNames = (): Names => {
  const folder = join(recorded, "data/tracking")
  const sets = readdirSync(folder).map((file) =>
    JSON.parse(readFileSync(join(folder, file), "utf8")) as {
      readonly brand: { readonly name: string }
      readonly competitors: ReadonlyArray<{ readonly name: string }>
    }
  )
  const [brand, ...competitors] = sets.flatMap((set) => [set.brand.name, ...set.competitors.map(({ name }) => name)])
  return { brand: brand!, competitors: [...new Set(competitors)] }
}

const invented: Names = { brand: "Acme", competitors: ["Globex", "Initech", "Hooli"] }
const inventedPairs = (): ReadonlyArray<Pair> => {
  const random = seededRandom(7)
  const text = () => `${["Acme", "Globex", "Initech", "Hooli"].filter(() => random() < 0.5).join(" and ")} will do.`
  return Array.from({ length: pairs / 2 }, (_, n) => n).flatMap((n) =>
    platforms.map((platform): Pair => ({ question: `which thing ${n}?`, platform, api: text(), app: text() }))
  )
}

const [given, names] = recorded === "" ? [inventedPairs(), invented] : [recordedPairs(), recordedNames()]
let dashboard: TestDashboard
beforeAll(async () => {
  dashboard = await openDashboard(oneHome[0]!)
}, 120_000)
afterAll(() => dashboard.close())

it(
  "page and command show the same agreement of 200 captured with 200 API answers as an independent computation",
  async () => {
    const { found, id, set } = await dashboard.run(Effect.gen(function*() {
      const { id } = yield* seedOrganization()
      const entity = (name: string) => ({ name, aliases: [], domains: [] })
      yield* setTrackedSet(id, {
        brand: { ...entity(names.brand), excludes: [] },
        competitors: names.competitors.map(entity)
      })
      yield* addKeywords(id, [...new Set(given.map(({ question }) => question))])
      const texts = new Map(given.map(({ api, platform, question }) => [`${platform} ${question}`, api]))
      const answer = (_: number, platform: string, question: string) => texts.get(`${platform} ${question}`)!
      yield* scanWith(id, 100, answer, { surface: "api" })
      const lines = given.map(({ app, platform, question }) =>
        JSON.stringify({
          platform,
          question,
          text: app,
          captured_at: "2026-01-20T09:00:00Z",
          captured_by: "Ada",
          account: "logged out"
        })
      )
      expect(yield* importCaptured(id, readCapturedFile(Buffer.from(lines.join("\n"))))).toMatchObject({ added: pairs })
      return { id, found: surfacesJson(yield* readSurfaces(id)), set: yield* readTrackedSet(id) }
    }))

    const terms = compileTerms(set.brand, set.competitors, set.brand.excludes)
    const namesIn = (text: string, question: string) =>
      new Set(measureWithTerms(terms, text, question).mentions.map(({ entity }) => entity))
    const both = given.map(({ api, app, question }) => [namesIn(api, question), namesIn(app, question)] as const)
    const agreed = both.filter(([api, app]) => api.has("brand") === app.has("brand")).length
    const sharedOn = (own: PlatformId) =>
      both.filter((_, n) => given[n]!.platform === own).flatMap(([api, app]) => {
        const all = new Set([...api, ...app])
        return all.size === 0 ? [] : [[...all].filter((name) => api.has(name) && app.has(name)).length / all.size]
      })
    const mean = (values: ReadonlyArray<number>) => values.reduce((a, b) => a + b, 0) / values.length
    const percent = (share: number) => Math.round(share * 1000) / 10
    expect(found).toMatchObject({ app_answers: pairs, api_answers: pairs, unmatched: 0 })
    expect(found.agreement).toBe(percent(agreed / pairs))
    expect(found.jaccard).toBe(percent(mean(platforms.map((one) => mean(sharedOn(one))))))
    const figures = [
      [found.agreement!, found.agreement_interval_95!],
      [found.jaccard!, found.jaccard_interval_95!]
    ] as const
    for (const [value, { high, low }] of figures) expect([low < value, value < high]).toEqual([true, true])
    const command = surfacesText(found, String)
    const browser = await dashboard.signIn(id, "viewer")
    const page = wordsOf((await browser.get(`${await dashboard.run(pathOf(id))}/surfaces`)).text)
    for (const [value, { high, low }] of figures) {
      expect(command).toContain(`${value} % (95 %: ${Math.round(low)}–${Math.round(high)}`)
      expect(page).toContain(`${Math.round(value)} % 95 % ${Math.round(low)}–${Math.round(high)}, for`)
    }
    console.log(command.split("\n").slice(0, 3).join("\n"))
  },
  300_000
)
