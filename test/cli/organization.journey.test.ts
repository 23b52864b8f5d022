/** An organization as files. */
import { createHash } from "node:crypto"
import { readdirSync, readFileSync, statSync } from "node:fs"
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
  "an export of an organization has its archive with proof, its settings without secrets and its audit log",
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
