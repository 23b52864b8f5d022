// Only with SOV_LONG_TESTS: many runs of the command; usecases/audit shows each rule
/** sov audit as people use it, and that no kill leaves an act without its entry or an entry without its act. */
import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { sov, sovInit, sovJson, startSov, workspace } from "../support/sov.ts"

interface Page {
  readonly data: ReadonlyArray<{
    readonly at: string
    readonly actor: { readonly kind: string; readonly name: string; readonly id: string | null }
    readonly action: string
    readonly subject: { readonly kind: string; readonly id: string }
    readonly detail: Readonly<Record<string, unknown>>
  }>
  readonly meta: { readonly count: number; readonly next_cursor: string | null }
}

describe("sov audit list", () => {
  it("the list shows who changed what, newest first, page by page and in every format", async () => {
    const cwd = workspace()
    await sovInit(cwd, ["--brand", "Acme", "--keyword", "best anvil?"])
    const made = await sovJson<{ id: string; key: string }>(cwd, ["key", "create", "--name", "=ci", "--scope", "read"])
    const page = await sovJson<Page>(cwd, ["audit", "list"])
    expect(page.data.map(({ action }) => action))
      .toEqual(["key.created", "keyword.added", "brand.changed", "organization.created"])
    expect(page.meta).toEqual({ count: 4, next_cursor: null })
    expect(page.data[0]).toEqual({
      id: expect.any(String),
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      actor: { kind: "command line", name: "command line", id: null },
      action: "key.created",
      subject: { kind: "key", id: made.id },
      detail: { name: "=ci", prefix: made.key.slice(0, 13), scopes: ["read"], expires_at: null }
    })
    expect(JSON.stringify(page)).not.toContain(made.key)

    const first = await sovJson<Page>(cwd, ["audit", "list", "--limit", "3"])
    const rest = await sovJson<Page>(cwd, ["audit", "list", "--limit", "3", "--cursor", first.meta.next_cursor!])
    expect([...first.data, ...rest.data]).toEqual(page.data)
    const only = async (...options: ReadonlyArray<string>) =>
      (await sovJson<Page>(cwd, ["audit", "list", ...options])).data.map(({ action }) => action)
    expect(await only("--action", "keyword.added")).toEqual(["keyword.added"])
    expect(await only("--actor", "system")).toEqual([])
    expect(await only("--since", "2100-01-01")).toEqual([])

    const csv = await sov(cwd, ["audit", "list", "-o", "csv", "--limit", "1"])
    expect(csv.stdout.split("\r\n")[0])
      .toBe("id,at,actor_kind,actor,actor_id,action,subject_kind,subject_id,detail")
    const lines = (await sov(cwd, ["audit", "list", "-o", "ndjson"])).stdout.trimEnd().split("\n")
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(page.data)
    const people = await sov(cwd, ["audit", "list"])
    expect(people.stdout).toMatch(/command line\tkey\.created\tName: =ci\. Prefix: sov_live_/)
    for (const wrong of [["--limit", "0"], ["--action", "key.eaten"], ["--since", "soon"], ["--cursor", "x"]]) {
      expect((await sov(cwd, ["audit", "list", ...wrong])).code, wrong.join(" ")).toBe(2)
    }
  })

  it("the list looks as docs/audit.md shows it", () => {
    const page = readFileSync(new URL("../../docs/audit.md", import.meta.url), "utf8")
    for (const words of ["sov audit list", "For ever.", "\"next_cursor\": null"]) expect(page).toContain(words)
  })
})

it("after a killed command, the act and its audit entry either both exist or neither does", async () => {
  const cwd = workspace()
  await sovInit(cwd, ["--brand", "Acme", "--keyword", "best anvil?"])
  const begun = performance.now()
  await sovJson(cwd, ["keyword", "add", "whole"])
  let usual = performance.now() - begun
  let killed = 0
  for (let n = 0; n < 12; n++) {
    const started = performance.now()
    const adding = startSov(cwd, ["keyword", "add", `a ${n}`, `b ${n}`])
    // From where the command begins to work until it has ended
    const timer = setTimeout(() => adding.child.kill("SIGKILL"), usual * (0.4 + n * 0.05))
    if ((await adding).signal === "SIGKILL") killed++
    else usual = Math.min(usual, performance.now() - started)
    clearTimeout(timer)
  }
  expect(killed).toBeGreaterThan(0)
  const keywords = await sovJson<ReadonlyArray<{ id: string }>>(cwd, ["keyword", "list"])
  const { data } = await sovJson<Page>(cwd, ["audit", "list", "--action", "keyword.added", "--limit", "1000"])
  expect(data.map(({ subject }) => subject.id).toSorted()).toEqual(keywords.map(({ id }) => id).toSorted())
})
