/**
 * What experiments say in simulated worlds: 500 of each with SOV_LONG_TESTS. An experiment that finds what is not there
 * is the worst that a tracker can ship, so these bounds are those of the issue and not what the code happens to give.
 */
import { evaluateExperiment } from "@sov/core"
import { describe, expect, it } from "vitest"
import { planIn, type World } from "../../support/experimentWorlds.ts"

const long = process.env["SOV_LONG_TESTS"] === "1"
const worlds = long ? 500 : 40
/** Beyond the seeds (up to 3,959,540) of the worlds that the power's constant was chosen on. */
const seedOf = (world: number, topics: number) => 4_000_003 + world * 9973 + topics
/** Two standard errors of a share of these worlds. */
const chanceOf = (share: number) => 2 * Math.sqrt(share * (1 - share) / worlds)

const calm = { topic: 0, question: 0, platform: 0 }
const both = { topic: 0.6, question: 0.5, platform: 0.25 }
const sizes: ReadonlyArray<World & { readonly name: string }> = [
  { name: "20 topics, calm", topics: 20, shocks: calm },
  { name: "40 topics, calm", topics: 40, shocks: calm },
  { name: "40 topics with shocks", topics: 40, shocks: both }
]

type Planned = ReturnType<typeof planIn>

/** Shares of worlds by verdict; `after` draws the scans after the change. */
const count = (world: World, after: (planned: Planned) => Parameters<typeof evaluateExperiment>[1]["after"] | null) => {
  const verdicts = { rise: 0, fall: 0, no_effect: 0, broken: 0 }
  let [run, promised] = [0, 0]
  for (let i = 1; i <= worlds; i++) {
    const planned = planIn(world, seedOf(i, world.topics))
    const scans = after(planned)
    if (scans === null) continue
    verdicts[evaluateExperiment(planned.pairs, { before: planned.before, after: scans }).verdict]++
    promised += planned.power(10)
    run++
  }
  const part = (n: number) => n / run
  return {
    rise: part(verdicts.rise),
    called: part(verdicts.rise + verdicts.fall),
    broken: part(verdicts.broken),
    promised: promised / run,
    run
  }
}

const four = (draw: () => ReturnType<Planned["scan"]>) => [draw(), draw(), draw(), draw()]

describe.each(sizes)("in a world of $name", (world) => {
  it("an experiment without an effect finds one in at most 5 % of cases", { timeout: 600_000 }, () => {
    const found = count(world, ({ scan }) => four(() => scan()))
    if (long) console.log(world.name, "no effect", found)
    expect(found.rise).toBeLessThanOrEqual(0.05)
    expect(found.called).toBeLessThanOrEqual(0.05 + chanceOf(0.05))
  })

  it("a rise of 10 points on the treated topics is detected as often as promised", { timeout: 600_000 }, () => {
    const found = count(world, ({ scan, shiftFor, treated }) => {
      const shift = shiftFor(treated, 10)
      return shift === null ? null : four(() => scan((topic) => treated.has(topic) ? shift : 0))
    })
    if (long) console.log(world.name, "+10 points", found)
    expect(found.run).toBeGreaterThan(0.9 * worlds)
    expect(Math.abs(found.rise - found.promised)).toBeLessThanOrEqual(long ? 0.05 : 0.05 + chanceOf(found.promised))
  })

  it("a shift of the whole market is not called an effect", { timeout: 600_000 }, () => {
    const found = count(world, ({ scan }) => four(() => scan(() => 0.5)))
    if (long) console.log(world.name, "market", found)
    expect(found.rise).toBeLessThanOrEqual(0.05 + chanceOf(0.05))
    expect(found.called).toBeLessThanOrEqual(0.05 + chanceOf(0.05))
  })

  it(
    "an experiment is broken if the model of one platform changes, whatever its shares show",
    { timeout: 600_000 },
    () => {
      const found = count(world, ({ scan, treated }) => {
        const shift = (topic: number) => treated.has(topic) ? 2 : 0
        return [scan(shift), scan(shift), scan(shift, { assistant_b: "m2" }), scan(shift, { assistant_b: "m2" })]
      })
      expect(found).toMatchObject({ broken: 1, called: 0 })
    }
  )
})
