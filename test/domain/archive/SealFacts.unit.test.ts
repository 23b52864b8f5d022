import { type AnswerId, type BrandId, makeSeal, makeSealFacts, type ScanId } from "@sov/core"
import { createHash } from "node:crypto"
import { expect, it } from "vitest"

const scanId = "01a1fc84-0000-7000-8000-000000000002" as ScanId
const scan: Parameters<typeof makeSealFacts>[0] = {
  id: scanId,
  status: "running",
  platforms: ["assistant_a", "assistant_b"],
  samples: 2,
  cellCount: 12,
  askable: { keywords: 3, platforms: 2 },
  trackedSetVersion: 1,
  scanType: "manual",
  simulated: false,
  quotaPeriod: null,
  startedAt: new Date("2026-03-01T00:00:00.000Z"),
  completedAt: null
}

const set: Parameters<typeof makeSealFacts>[2] = {
  version: 1,
  brand: {
    id: "01a1fc84-0000-7000-8000-000000000003" as BrandId,
    name: "Acme",
    aliases: ["Acme Forge"],
    domains: ["acme.example"],
    excludes: []
  },
  competitors: [],
  createdAt: new Date("2026-02-01T00:00:00.000Z")
}

const sha256 = (data: Uint8Array | string) => createHash("sha256").update(data).digest("hex")

it("a seal of a scan still has the bytes that it had before experiments could be sealed", () => {
  const facts = makeSealFacts(scan, "completed", set)
  const seal = makeSeal({
    scanId,
    leaves: [{ id: "01a1fc84-0000-7000-8000-000000000001" as AnswerId, hash: Buffer.alloc(32, 7) }],
    head: { sequence: 4, hash: Buffer.alloc(32, 9) },
    sealedAt: new Date("2026-03-01T00:05:00.000Z"),
    facts
  })
  const names =
    "{\"brand\":{\"aliases\":[\"Acme Forge\"],\"context\":[],\"domains\":[\"acme.example\"],\"excludes\":[],"
    + `"id":"${set.brand.id}","name":"Acme"},"competitors":[],"version":1}`
  const canonical = "{\"facts\":{\"askable\":{\"keywords\":3,\"platforms\":2},\"cells\":12,"
    + `"measure_version":${facts.measure_version},"platforms":["assistant_a","assistant_b"],"samples":2,`
    + "\"simulated\":false,\"started_at\":\"2026-03-01T00:00:00.000Z\",\"status\":\"completed\",\"tracked_set\":1,"
    + `"tracked_set_sha256":"${sha256(names)}","version":3},"leaf_count":1,"previous":"${"09".repeat(32)}",`
    + `"root":"${sha256(Buffer.concat([Buffer.alloc(1), Buffer.alloc(32, 7)]))}",`
    + `"scan_id":"${scanId}","sealed_at":"2026-03-01T00:05:00.000Z","sequence":5}`
  expect(Buffer.from(seal.hash).toString("hex")).toBe(sha256(canonical))
})
