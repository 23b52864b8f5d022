/** An organization as files. */
import { createHash } from "node:crypto"
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { demo, exportedDemo } from "../support/demoExport.ts"
import { sov, sovJson } from "../support/sov.ts"

interface Summary {
  readonly organization: { readonly slug: string }
  readonly files: { readonly [name: string]: { readonly rows: number; readonly sha256: string } }
}

const made = exportedDemo()

it(
  "an export of an organization contains its archive with proof, its settings without secrets and its audit log",
  async () => {
    const { cwd } = made
    const [{ slug }] = await sovJson<readonly [{ readonly slug: string }]>(cwd, ["org", "list", ...demo])
    const key = await sovJson<{ readonly key: string }>(cwd, ["key", "create", "--name", "ci", ...demo])
    const done = await sovJson<Summary>(cwd, ["org", "export", slug, "left", ...demo])
    expect(done.organization.slug).toBe(slug)
    expect(readdirSync(join(cwd, "left")).toSorted()).toEqual([
      "archive.ndjson",
      "archive.ndjson.context.ndjson",
      "archive.ndjson.manifest.json",
      "audit.ndjson",
      "export.json",
      "records.ndjson"
    ])
    for (const [name, { rows, sha256 }] of Object.entries(done.files)) {
      const bytes = readFileSync(join(cwd, "left", name))
      expect(bytes.toString("utf8").split("\n"), name).toHaveLength(rows + 1)
      expect(createHash("sha256").update(bytes).digest("hex"), name).toBe(sha256)
      expect(bytes.includes(key.key), name).toBe(false)
      expect(statSync(join(cwd, "left", name)).mode & 0o777, name).toBe(0o600)
    }
    expect(await sovJson(cwd, ["archive", "verify", "--file", "left/archive.ndjson"])).toMatchObject({ valid: true })
    const read = (name: string) =>
      readFileSync(join(cwd, "left", name), "utf8").trimEnd().split("\n").map((line) =>
        JSON.parse(line) as Record<string, object>
      )
    const keys = read("records.ndjson").flatMap((record) => record["api_key"] ?? [])
    expect(keys).toMatchObject([{ name: "ci" }])
    expect(keys[0]).not.toHaveProperty("hash")
    expect(read("audit.ndjson")[0]).toMatchObject({ action: "key.created", detail: { name: "ci" } })

    const again = await sov(cwd, ["org", "export", slug, "left", ...demo])
    expect(again.code).toBe(8)
    expect(again.stderr).toContain("--yes overwrites it")
    expect(await sov(cwd, ["org", "export", slug, "left", "--yes", ...demo])).toMatchObject({ code: 0 })
    expect(await sov(cwd, ["org", "export", "nobody", "other", ...demo])).toMatchObject({ code: 3 })
  },
  120_000
)

interface Deletion {
  readonly deleted: boolean
  readonly due_at: string | null
  readonly tombstone: { readonly organization_id: string; readonly rows: { readonly [table: string]: number } } | null
}
interface Deletions {
  readonly requests: ReadonlyArray<{ readonly slug: string }>
  readonly tombstones: ReadonlyArray<{ readonly organization_id: string; readonly valid: boolean }>
}

it("a deletion waits seven days and can be cancelled; an immediate deletion leaves a valid tombstone", async () => {
  const { cwd } = made
  const [{ id, slug }] = await sovJson<readonly [{ readonly id: string; readonly slug: string }]>(cwd, [
    "org",
    "list",
    ...demo
  ])
  await sovJson(cwd, ["org", "create", "Stays", ...demo])
  const unasked = await sov(cwd, ["org", "delete", slug, ...demo])
  expect(unasked).toMatchObject({ code: 2, stdout: "" })
  expect(unasked.stderr).toContain("--yes")

  const counted = await sovJson<{ readonly rows: object }>(cwd, ["org", "delete", slug, "--dry-run", ...demo])
  const asked = await sovJson<Deletion>(cwd, ["org", "delete", slug, "--yes", ...demo])
  expect(asked).toMatchObject({ deleted: false, tombstone: null })
  expect(Date.parse(asked.due_at!) - Date.now()).toBeGreaterThan(6.9 * 86_400_000)
  const pending = await sovJson<Deletions>(cwd, ["org", "deletions", ...demo])
  expect(pending).toMatchObject({ requests: [{ slug, due_at: asked.due_at }], tombstones: [] })
  expect(await sovJson(cwd, ["org", "delete", slug, "--cancel", ...demo])).toMatchObject({ cancelled: true })

  const gone = await sovJson<Deletion>(cwd, ["org", "delete", slug, "--now", "--yes", ...demo])
  expect(gone).toMatchObject({ deleted: true, tombstone: { organization_id: id, head: made.manifest.chain_head } })
  // Beside what was counted: the entries of the request and of its cancellation
  const { audit_entry: _, ...rows } = gone.tombstone!.rows
  expect(counted.rows).toMatchObject(rows)
  const left = await sovJson<ReadonlyArray<object>>(cwd, ["org", "list", ...demo])
  expect(left).toMatchObject([{ slug: "stays" }])
  expect(await sov(cwd, ["org", "delete", slug, "--now", "--yes", ...demo])).toMatchObject({ code: 3 })

  const after = await sovJson<Deletions>(cwd, ["org", "deletions", ...demo])
  expect(after).toMatchObject({ requests: [], tombstones: [{ organization_id: id, valid: true }] })
  writeFileSync(join(cwd, "stone.json"), JSON.stringify(gone.tombstone))
  expect(await sovJson(cwd, ["org", "deletions", "--file", "stone.json"])).toMatchObject({ valid: true })
  const changed = JSON.stringify(gone.tombstone).replace(/"sequence":\d+/, "\"sequence\":1")
  writeFileSync(join(cwd, "stone.json"), changed)
  expect(await sov(cwd, ["org", "deletions", "--file", "stone.json"])).toMatchObject({ code: 7 })
}, 120_000)

it(
  "an organization is created with its tracked set, as over REST; a set without a brand creates no organization",
  async () => {
    const { cwd } = made
    const tracked = ["--brand", "Acme", "--competitor", "Globex", "--keyword", "best anvil?"]
    const { slug } = await sovJson<{ readonly slug: string }>(cwd, [
      "org",
      "create",
      "Acme Europe",
      ...tracked,
      ...demo
    ])
    const list = (of: string) => sovJson(cwd, [of, "list", "--org", slug, ...demo])
    expect(await list("competitor")).toMatchObject([{ name: "Globex" }])
    expect(await list("keyword")).toMatchObject([{ text: "best anvil?" }])
    const refused = await sov(cwd, ["org", "create", "Other", "--keyword", "which?", ...demo])
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("need --brand") })
    expect((await sov(cwd, ["org", "list", ...demo])).stdout).not.toContain("Other")
  },
  120_000
)
