import {
  type AnswerId,
  formatAnchor,
  hashLeaf,
  inclusionPath,
  makeSeal,
  merkleRoot,
  parseAnchor,
  rootFromPath,
  type ScanId
} from "@sov/core"
import { createHash } from "node:crypto"
import { describe, expect, it } from "vitest"

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex")
const answer = {
  id: "01a1fc84-0000-7000-8000-000000000001" as AnswerId,
  scanId: "01a1fc84-0000-7000-8000-000000000002" as ScanId,
  platform: "assistant_a",
  keywordId: "01a1fc84-0000-7000-8000-000000000003",
  promptUsed: "best anvil?",
  rawResponse: "“Acme”\n\u2028\ud83d\udee0 \\ /",
  createdAt: new Date("2026-03-01T00:00:00.000Z")
}

const provenance = {
  model: "m",
  simulated: true,
  search: null,
  payloadSha256: "0a".repeat(32),
  sourceVersion: 1,
  sources: [{ kind: "cited" as const, url: "https://a.example/", title: null, start: 0, end: 9 }],
  queries: ["q"]
}

describe("leaf", () => {
  it("a leaf is the SHA-256 of the RFC 8785 form, which the test spells out", () => {
    const canonical = "{\"created_at\":\"2026-03-01T00:00:00.000Z\",\"id\":\"01a1fc84-0000-7000-8000-000000000001\","
      + "\"keyword_id\":\"01a1fc84-0000-7000-8000-000000000003\",\"platform\":\"assistant_a\",\"prompt_used\":\"best anvil?\","
      + "\"raw_response\":\"“Acme”\\n\u2028\ud83d\udee0 \\\\ /\",\"scan_id\":\"01a1fc84-0000-7000-8000-000000000002\"}"
    expect(hex(hashLeaf(answer))).toBe(createHash("sha256").update(canonical, "utf8").digest("hex"))
  })

  it("the hash of a seal of version 2 is the SHA-256 of the RFC 8785 form, which the test spells out", () => {
    const canonical = "{\"created_at\":\"2026-03-01T00:00:00.000Z\",\"id\":\"01a1fc84-0000-7000-8000-000000000001\","
      + "\"keyword_id\":\"01a1fc84-0000-7000-8000-000000000003\",\"leaf\":2,\"model\":\"m\","
      + `"payload_sha256":"${"0a".repeat(32)}","platform":"assistant_a","prompt_used":"best anvil?","queries":["q"],`
      + "\"raw_response\":\"“Acme”\\n\u2028\ud83d\udee0 \\\\ /\",\"scan_id\":\"01a1fc84-0000-7000-8000-000000000002\","
      + "\"search\":null,\"simulated\":true,\"source_version\":1,"
      + "\"sources\":[{\"end\":9,\"kind\":\"cited\",\"start\":0,\"title\":null,\"url\":\"https://a.example/\"}]}"
    expect(hex(hashLeaf({ ...answer, provenance }))).toBe(createHash("sha256").update(canonical, "utf8").digest("hex"))
    const real = canonical.replace("\"simulated\":true,", "")
    expect(hex(hashLeaf({ ...answer, provenance: { ...provenance, simulated: false } }))).toBe(
      createHash("sha256").update(real, "utf8").digest("hex")
    )
  })

  it("a leaf covers the captured members of a source, and not its derived location", () => {
    const placed = [{ ...provenance.sources[0]!, page: "https://a.example/", host: "a.example", domain: "a.example" }]
    expect(hashLeaf({ ...answer, provenance: { ...provenance, sources: placed } })).toEqual(
      hashLeaf({ ...answer, provenance })
    )
  })

  it.each(["id", "scanId", "platform", "keywordId", "promptUsed", "rawResponse"] as const)(
    "a leaf changes with %s",
    (field) => {
      expect(hex(hashLeaf({ ...answer, [field]: `${answer[field]}x` }))).not.toBe(hex(hashLeaf(answer)))
    }
  )
})

describe("Merkle root", () => {
  // Inputs and roots of the RFC 6962 test vectors (certificate-transparency, merkle_tree_test.cc), whose leaves are raw
  // data: ours are hashed the same way, 0x00 before a leaf.
  const inputs = ["", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"]
    .map((text) => Buffer.from(text, "hex"))
  const roots = [
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328"
  ]
  it("the root of zero leaves is the hash of zero bytes", () => {
    expect(hex(merkleRoot([]))).toBe("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
  })
  it.each(roots.map((root, n) => [n + 1, root] as const))("the root of %i leaves is that of RFC 6962", (n, root) => {
    expect(hex(merkleRoot(inputs.slice(0, n)))).toBe(root)
  })
})

describe("inclusion path", () => {
  const leaves = Array.from({ length: 33 }, (_, n) => Buffer.alloc(32, n + 1))

  it("an inclusion path leads every leaf of every small tree, and no other hash, to the root", () => {
    for (let count = 1; count <= leaves.length; count++) {
      const some = leaves.slice(0, count)
      const root = hex(merkleRoot(some))
      for (const [n, leaf] of some.entries()) {
        const path = inclusionPath(some, n)
        expect(path.length).toBeLessThanOrEqual(Math.ceil(Math.log2(count)))
        expect(hex(rootFromPath(leaf, path))).toBe(root)
        expect(hex(rootFromPath(Buffer.alloc(32, 99), path))).not.toBe(root)
        if (count > 1) expect(hex(rootFromPath(leaf, inclusionPath(some, (n + 1) % count)))).not.toBe(root)
      }
    }
  })
})

describe("anchor", () => {
  it("an anchor is parsed only in its printed form", () => {
    const anchor = { sequence: 12, hash: "0f".repeat(32) }
    expect(parseAnchor(formatAnchor(anchor))).toEqual(anchor)
    expect(parseAnchor(`${formatAnchor(anchor)}\n`)).toEqual(anchor)
    for (
      const bad of [
        "",
        "12",
        `0:${anchor.hash}`,
        `12:${anchor.hash.toUpperCase()}`,
        `12:${anchor.hash}0`,
        `1e2:${anchor.hash}`
      ]
    ) {
      expect(parseAnchor(bad)).toBeNull()
    }
  })
})

describe("seal", () => {
  const leaf = (n: number) => ({ id: `01a1fc84-0000-7000-8000-00000000000${n}` as AnswerId, hash: Buffer.alloc(32, n) })
  const base = { scanId: answer.scanId, head: null, sealedAt: answer.createdAt }

  it("a seal orders its leaves by id, and a changed, missing or added leaf changes the hash", () => {
    const seal = makeSeal({ ...base, leaves: [leaf(2), leaf(1)] })
    expect(seal).toMatchObject({ sequence: 1, previous: null, leaves: [leaf(1), leaf(2)] })
    expect(makeSeal({ ...base, leaves: [leaf(1), leaf(2)] }).hash).toEqual(seal.hash)
    for (
      const leaves of [[leaf(1)], [leaf(1), leaf(2), leaf(3)], [leaf(1), { ...leaf(2), hash: Buffer.alloc(32, 9) }]]
    ) {
      expect(makeSeal({ ...base, leaves }).hash).not.toEqual(seal.hash)
    }
  })

  it("a seal is linked to the seal before it", () => {
    const first = makeSeal({ ...base, leaves: [leaf(1)] })
    const second = makeSeal({ ...base, leaves: [leaf(2)], head: first })
    expect(second).toMatchObject({ sequence: 2, previous: first.hash })
    expect(makeSeal({ ...base, leaves: [leaf(2)], head: { sequence: 1, hash: Buffer.alloc(32) } }).hash).not.toEqual(
      second.hash
    )
  })
})
