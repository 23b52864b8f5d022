/** Duty: `sov audit noise` says of an archive what its intervals hold and what would be marked though nothing changes. */
import { expect, it } from "vitest"
import { sov, sovInit, sovJson, workspace } from "../support/sov.ts"

interface Noise {
  readonly cells: number
  readonly scans: number
  readonly simulated?: true
  readonly intervals: ReadonlyArray<
    { readonly of: string; readonly held_percent: number | null; readonly drawn: number }
  >
  readonly marks: ReadonlyArray<{ readonly what: string; readonly percent_of_scans: number }>
  readonly alerts: ReadonlyArray<{ readonly alert: string; readonly per_period: number }>
}

it("the simulation uses the newest scan's panel, and is the same each time", async () => {
  const cwd = workspace()
  await sovJson(cwd, ["demo", "--weeks", "3", "--data-dir", "demo"])
  const args = ["audit", "noise", "--weeks", "12", "--periods", "2", "--data-dir", "demo"]
  const found = await sovJson<Noise>(cwd, args)
  expect(found).toMatchObject({ simulated: true, cells: 40, scans: 4 })
  expect(found.intervals.map(({ of }) => of)).toEqual(["headline", "competitors", "nobody", "platforms"])
  expect(found.intervals[0]!.held_percent).toBeGreaterThan(80)
  expect(found.marks[0]).toMatchObject({ what: "anything" })
  expect(await sovJson(cwd, args)).toEqual(found)
  const { stdout } = await sov(cwd, args)
  expect(stdout).toMatch(/^SIMULATED: 40 cells of the newest scan, drawn as 4 scans answered them; nothing changes\.\n/)
  expect(stdout).toContain("2 periods of 12 weekly scans")
}, 60_000)

it("an archive without a scan and an invalid number are refused with the next step", async () => {
  const cwd = workspace()
  await sovInit(cwd, ["--brand", "Acme", "--keyword", "best anvil"])
  const empty = await sov(cwd, ["audit", "noise"])
  expect(empty.code).not.toBe(0)
  expect(empty.stderr).toContain("sov scan")
  expect(await sov(cwd, ["audit", "noise", "--weeks", "0"])).toMatchObject({ code: 2, stdout: "" })
}, 60_000)
