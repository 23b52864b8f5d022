/** Verification against the seals: whatever a superuser changes, removes or adds is reported, and nothing else. */
import {
  type Anchor,
  anchorFromSeal,
  type ArchiveProblem,
  ArchiveStore,
  cancelScan,
  type CellId,
  CellStore,
  checkProof,
  hashLeaf,
  makeSeal,
  type OrganizationId,
  parseProof,
  proveAnswer,
  type ScanId,
  SealStore,
  verifyArchive,
  wholeHistory
} from "@sov/core"
import { answerTo, at } from "@sov/core/testing"
import { Effect, Result } from "effect"
import { SecureRandom } from "effect/crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { asSuperuser } from "../../support/asSuperuser.ts"
import { answeredScan, scanWith, seed } from "../../support/completedScans.ts"
import { findByExport } from "../../support/findByExport.ts"
import { serverHomeOrAll } from "../../support/homes.ts"
import { openStorage } from "../../support/storage.ts"

const text = (keyword: number, platform: string) => `${platform}: Acme Forge makes the best anvil number ${keyword}.`

/** Three completed scans of twelve answers. */
const sealed = Effect.gen(function*() {
  const organizationId = yield* seed
  const scans = [yield* scanWith(organizationId, 10, text), yield* scanWith(organizationId, 50, text)]
  scans.push(yield* scanWith(organizationId, 90, text))
  return { organizationId, scans }
})

const verify = Effect.fnUntraced(function*(
  organizationId: OrganizationId,
  anchor: Anchor | null = null,
  options = { payloads: false }
) {
  const problems: Array<ArchiveProblem> = []
  let answers = 0
  const verdict = yield* verifyArchive(
    organizationId,
    {
      onProblem: (problem) => Effect.sync(() => void problems.push(problem)),
      onAnswers: (count) => void (answers += count)
    },
    anchor === null ? [] : [anchor],
    options
  )
  expect(answers).toBe(verdict.sealed)
  return { verdict, named: problems.map(({ id, problem, what }) => `${what} ${id} ${problem}`).toSorted(), problems }
})

const oneAnswer = Effect.fnUntraced(function*(organizationId: OrganizationId, scanId: ScanId, n = 3) {
  return (yield* (yield* ArchiveStore).leaves(organizationId, scanId))[n]!.id
})

describe.each(serverHomeOrAll)("on the %s home", (home) => {
  // Its owner, since nobody else can change what is archived
  const storage = openStorage(home, "superuser")
  afterAll(storage.close)

  let made: Effect.Success<typeof sealed>
  beforeAll(async () => {
    made = await storage.run(sealed)
  })

  it("an unchanged archive is valid, and late answers, running scans and unsealed answers are counted separately", () =>
    storage.run(Effect.gen(function*() {
      const { organizationId, scans: [scan] } = yield* sealed
      const begunBefore = yield* findByExport(organizationId)
      const [seals, cells] = [yield* SealStore, yield* CellStore]
      const some = (n: number, platform: string) => n < 2 ? text(n, platform) : null
      const cancelled = yield* answeredScan(organizationId, 130, some)
      yield* cancelScan(organizationId, cancelled.id)
      yield* answeredScan(organizationId, 170, (n, platform) => n < 4 ? text(n, platform) : null)
      // An answer that was in flight when its scan had ended
      const [keywordId] = yield* cells.keywordIds(organizationId, scan!.id)
      const cell = {
        id: (yield* SecureRandom.SecureRandom.use((random) => random.uuidV7())) as string as CellId,
        scanId: scan!.id,
        keywordId: keywordId!,
        platform: "assistant_c" as const,
        sample: 1
      }
      yield* cells.insert(organizationId, [cell], at(5))
      const late = yield* answerTo({ ...cell, prompt: "late?", attempts: 1, firstAttemptAt: null })
      yield* (yield* ArchiveStore).append(organizationId, late)
      const leaves = [{ id: late.id, hash: late.leafHash }]
      const head = yield* seals.lockHead(organizationId)
      yield* seals.insert(organizationId, makeSeal({ scanId: scan!.id, leaves, head, sealedAt: at(200) }))

      const newest = anchorFromSeal((yield* seals.head(organizationId))!)
      const { named, verdict } = yield* verify(organizationId, newest)
      expect(named).toEqual([])
      for (const { end } of [begunBefore, yield* findByExport(organizationId)]) expect(yield* end()).toEqual([])
      expect(verdict).toEqual({
        sealed: 3 * 12 + 4 + 1,
        late: 1,
        unsealed: 8,
        runningScans: 1,
        seals: 5,
        // That of the late answer was made by hand, as an earlier version makes it
        withoutFacts: 1,
        head: newest,
        payloads: null
      })
    })))

  describe("reports", () => {
    type Case = (seeded: {
      readonly answer: string
      readonly organizationId: OrganizationId
      readonly scans: ReadonlyArray<{ readonly id: ScanId }>
    }) => readonly [statement: string, named: ReadonlyArray<string>]
    const flipped = (column: string) => `set_byte(${column}, 5, (get_byte(${column}, 5) + 1) % 256)`
    const seal2 = (change: string): Case => ({ organizationId }) => [
      `update seal set ${change} where organization_id = '${organizationId}' and sequence = 2`,
      ["seal 2 changed"]
    ]
    const cases: { readonly [what: string]: Case } = {
      "one byte of a text": ({ answer }) => [
        `update answer set raw_response = overlay(raw_response placing 'x' from 9) where id = '${answer}'`,
        [`answer ${answer} changed`]
      ],
      "a text whose stored hash was changed with it": ({ answer }) => [
        `update answer set prompt_used = 'x', leaf_hash = sha256('x') where id = '${answer}'`,
        [`answer ${answer} changed`]
      ],
      "a model": ({ answer }) => [`update answer set model = 'x' where id = '${answer}'`, [`answer ${answer} changed`]],
      "whether it is simulated": ({ answer }) => [
        `update answer set simulated = not simulated where id = '${answer}'`,
        [`answer ${answer} changed`]
      ],
      "whether it was searched for": ({ answer }) => [
        `update answer set search = 'off' where id = '${answer}'`,
        [`answer ${answer} changed`]
      ],
      "the hash of a payload": ({ answer }) => [
        `update answer set payload_sha256 = ${flipped("payload_sha256")} where id = '${answer}'`,
        [`answer ${answer} changed`]
      ],
      "the version of a leaf": ({ answer }) => [
        `update answer set leaf_version = 1 where id = '${answer}'`,
        [`answer ${answer} changed`]
      ],
      "a source": ({ answer }) => [
        `update answer_sources set sources = jsonb_set(sources, '{0,kind}', '"retrieved"') where answer_id = '${answer}'`,
        [`answer ${answer} changed`]
      ],
      "a query": ({ answer }) => [
        `update answer_sources set queries = queries[2:] where answer_id = '${answer}'`,
        [`answer ${answer} changed`]
      ],
      "sources that are gone": ({ answer }) => [
        `delete from answer_sources where answer_id = '${answer}'`,
        [`answer ${answer} changed`]
      ],
      "sources that stand before the first": ({ answer }) => [
        `alter table answer_sources drop constraint answer_sources_source_version_check;
        insert into answer_sources select organization_id, answer_id, 0, status, '[]', queries, cut, derived_at
          from answer_sources where answer_id = '${answer}'`,
        [`answer ${answer} changed`]
      ],
      "a stored hash": ({ answer }) => [
        `update answer set leaf_hash = ${flipped("leaf_hash")} where id = '${answer}'`,
        [`answer ${answer} changed`]
      ],
      "a time": ({ answer }) => [
        `update answer set created_at = created_at + interval '1 millisecond' where id = '${answer}'`,
        [`answer ${answer} changed`]
      ],
      "an answer that is gone": (
        { answer }
      ) => [`delete from answer where id = '${answer}'`, [`answer ${answer} removed`]],
      "an answer that was added": ({ answer }) => [
        `insert into answer select (jsonb_populate_record(null::answer, to_jsonb(a) || jsonb_build_object(
          'id', '00000000-0000-7000-8000-00000000bbbb', 'cell_id', gen_random_uuid(), 'sample', 4))).*
          from answer a where id = '${answer}'`,
        ["answer 00000000-0000-7000-8000-00000000bbbb added"]
      ],
      "an answer with another id": ({ answer }) => [
        `update answer set id = '00000000-0000-7000-8000-00000000cccc' where id = '${answer}'`,
        ["answer 00000000-0000-7000-8000-00000000cccc added", `answer ${answer} removed`]
      ],
      "a seal's hash": seal2(`hash = ${flipped("hash")}`),
      "a seal's root": seal2(`root = ${flipped("root")}`),
      "a seal's link": seal2(`previous = ${flipped("previous")}`),
      "a seal's time": seal2("sealed_at = sealed_at + interval '1 millisecond'"),
      "a leaf of a seal": seal2(`leaf_hashes = ${flipped("leaf_hashes")}`),
      "the id of a leaf": seal2(
        "leaf_ids = array['00000000-0000-7000-8000-00000000dddd'::uuid] || leaf_ids[2:]"
      ),
      "the ids of two leaves": seal2("leaf_ids = leaf_ids[1:3] || leaf_ids[5] || leaf_ids[4] || leaf_ids[6:]"),
      "a leaf without an id": seal2("leaf_ids = array[null::uuid] || leaf_ids[2:]"),
      "a hash that no leaf has": ({ organizationId }) => [
        `alter table seal drop constraint seal_check;
        update seal set leaf_hashes = leaf_hashes || sha256('x')
          where organization_id = '${organizationId}' and sequence = 2`,
        ["answer 00000000-0000-0000-0000-000000000000 removed", "seal 2 changed"]
      ],
      "a seal's impossible time": seal2("sealed_at = 'infinity'"),
      "an impossible time": ({ answer }) => [
        `update answer set created_at = 'infinity' where id = '${answer}'`,
        [`answer ${answer} changed`]
      ],
      "a seal that stands before the first": ({ answer, organizationId }) => [
        `alter table seal drop constraint seal_sequence_check;
        insert into answer select (jsonb_populate_record(null::answer, to_jsonb(a) || jsonb_build_object(
          'id', '00000000-0000-7000-8000-00000000bbbb', 'cell_id', gen_random_uuid(), 'sample', 4))).*
          from answer a where id = '${answer}';
        insert into seal select organization_id, 0, scan_id, array['00000000-0000-7000-8000-00000000bbbb'::uuid],
          (select leaf_hash from answer where id = '${answer}'), root, null, sealed_at, hash
          from seal where organization_id = '${organizationId}' and sequence = 2`,
        ["answer 00000000-0000-7000-8000-00000000bbbb changed", "seal 0 added"]
      ],
      "a second answer of the same id": ({ answer }) => [
        `alter table answer drop constraint answer_pkey cascade;
        insert into answer select (jsonb_populate_record(null::answer, to_jsonb(a) || jsonb_build_object(
          'raw_response', 'forged', 'cell_id', gen_random_uuid(), 'sample', 4))).*
          from answer a where id = '${answer}'`,
        [`answer ${answer} added`, `answer ${answer} changed`]
      ],
      "answers of a scan with the lowest id": ({ answer }) => [
        `insert into answer select (jsonb_populate_record(null::answer, to_jsonb(a) || jsonb_build_object(
          'id', gen_random_uuid(), 'cell_id', gen_random_uuid(),
          'scan_id', '00000000-0000-0000-0000-000000000000'))).*
          from answer a where id = '${answer}'`,
        ["scan 00000000-0000-0000-0000-000000000000 unsealed"]
      ],
      "the facts of a seal": ({ organizationId, scans }) => [
        `update seal set facts = jsonb_set(facts, '{samples}', '5')
          where organization_id = '${organizationId}' and sequence = 2`,
        [`scan ${scans[1]!.id} changed`, "seal 2 changed"]
      ],
      "facts that are gone": seal2("facts = null"),
      "the kind of a scan": ({ scans }) => [
        `update scan set simulated = not simulated where id = '${scans[1]!.id}'`,
        [`scan ${scans[1]!.id} changed`]
      ],
      "the size of a scan": ({ scans }) => [
        `update scan set cell_count = cell_count + 1 where id = '${scans[1]!.id}'`,
        [`scan ${scans[1]!.id} changed`]
      ],
      "the state of a scan": ({ scans }) => [
        `update scan set status = 'cancelled' where id = '${scans[1]!.id}'`,
        [`scan ${scans[1]!.id} changed`]
      ],
      "a seal that is gone, and the scan that nothing proves": ({ organizationId, scans }) => [
        `delete from seal where organization_id = '${organizationId}' and sequence = 2`,
        [`scan ${scans[1]!.id} unsealed`, "seal 2 removed"]
      ],
      "the last seal": ({ organizationId, scans }) => [
        `delete from seal where organization_id = '${organizationId}' and sequence = 3`,
        [`scan ${scans[2]!.id} unsealed`]
      ],
      "answers of a scan that is not there": ({ answer, organizationId, scans }) => [
        `insert into answer select (jsonb_populate_record(null::answer, to_jsonb(a) || jsonb_build_object(
          'id', gen_random_uuid(), 'cell_id', gen_random_uuid(), 'scan_id', '${organizationId}'))).*
          from answer a where id = '${answer}' and scan_id = '${scans[1]!.id}'`,
        [`scan ${organizationId} unsealed`]
      ]
    }
    // An export reads neither the hash that is kept beside an answer nor what stands before the first seal
    const byExport: { readonly [what: string]: ReadonlyArray<string> } = {
      "a stored hash": [],
      "a hash that no leaf has": ["seal 2 changed"],
      // The context of the export has scans and names: its check compares them
      "the facts of a seal": ["seal 2 changed"],
      "the kind of a scan": [],
      "the size of a scan": [],
      "the state of a scan": [],
      "a seal that stands before the first": ["seal 0 changed"]
    }
    it.each(Object.keys(cases))(
      "verification and export report the manipulation: %s",
      (name) =>
        storage.run(Effect.gen(function*() {
          const answer = yield* oneAnswer(made.organizationId, made.scans[1]!.id)
          const [statement, named] = cases[name]!({ ...made, answer })
          const found = Effect.gen(function*() {
            expect((yield* verify(made.organizationId)).named).toEqual(named)
            for (const resumed of [false, true]) {
              const { end } = yield* findByExport(made.organizationId, { resumed })
              expect(yield* end()).toEqual(byExport[name] ?? named)
            }
          })
          yield* asSuperuser(statement.split(";\n"), found)
          expect((yield* verify(made.organizationId)).named).toEqual([])
        }))
    )
  })

  it("a filtered export is compared with its seals and the chain, but missing answers cannot be noticed", () =>
    storage.run(Effect.gen(function*() {
      const { organizationId } = made
      const rows = yield* (yield* ArchiveStore).page(organizationId, {}, { limit: 12, provenance: true })
      const { platform } = rows[0]!
      const [changed, gone] = rows.filter((row) => row.platform === platform)
      const other = rows.find((row) => row.platform !== platform)
      const statements = [
        `update answer set raw_response = 'x' where id in ('${changed!.id}', '${other!.id}')`,
        `delete from answer where id = '${gone!.id}'`,
        `update seal set sealed_at = now() where organization_id = '${organizationId}' and sequence = 1`
      ]
      const found = Effect.gen(function*() {
        const { end } = yield* findByExport(organizationId, { filters: { platform } })
        expect(yield* end()).toEqual([`answer ${changed!.id} changed`, "seal 1 changed"])
      })
      yield* asSuperuser(statements, found)
    })))

  it("payloads are hashed on request: changed payloads are reported, and unsealed ones are counted", () =>
    storage.run(Effect.gen(function*() {
      const { organizationId, scans } = made
      const answer = yield* oneAnswer(organizationId, scans[1]!.id)
      const hashed = verify(organizationId, null, { payloads: true })
      const { named, verdict } = yield* hashed
      expect({ named, payloads: verdict.payloads }).toEqual({ named: [], payloads: { sealed: 18, unproven: 18 } })
      yield* asSuperuser(
        [`update answer set payload = payload || 'x' where id = '${answer}'`],
        Effect.gen(function*() {
          expect((yield* verify(organizationId)).named).toEqual([])
          const after = yield* hashed
          expect(after.named).toEqual([`answer ${answer} changed`])
          expect(after.verdict.payloads).toEqual({ sealed: 17, unproven: 18 })
        })
      )
    })))

  it("a seal recomputed over a changed answer does not match the next seal", () =>
    storage.run(Effect.gen(function*() {
      const { organizationId, scans: [, scan] } = made
      const [seals, archive] = [yield* SealStore, yield* ArchiveStore]
      const id = yield* oneAnswer(organizationId, scan!.id)
      const [answer] = yield* archive.listSealed(organizationId, [id])
      const hash = hashLeaf({ ...answer!, rawResponse: "forged" })
      const leaves = (yield* archive.leaves(organizationId, scan!.id)).map((leaf) =>
        leaf.id === id ? { id, hash } : leaf
      )
      const [head] = yield* seals.headers(organizationId, { after: 0, limit: 1 })
      const seal = makeSeal({ scanId: scan!.id, leaves, head: head!, sealedAt: at(300) })
      const bytes = (...parts: ReadonlyArray<Uint8Array>) => `'\\x${Buffer.concat(parts).toString("hex")}'`
      yield* asSuperuser(
        [
          `update answer set raw_response = 'forged', leaf_hash = ${bytes(hash)} where id = '${id}'`,
          `update seal set root = ${bytes(seal.root)}, hash = ${
            bytes(seal.hash)
          }, sealed_at = '${seal.sealedAt.toISOString()}', leaf_hashes = ${
            bytes(...seal.leaves.map((leaf) => leaf.hash))
          }
            where organization_id = '${organizationId}' and sequence = 2`
        ],
        Effect.map(verify(organizationId), ({ named }) => expect(named).toEqual(["seal 2 changed"]))
      )
    })))

  it("a chain without its last seals is valid unless its head was recorded elsewhere", () =>
    storage.run(Effect.gen(function*() {
      const { organizationId, scans: [, , scan] } = made
      const head = anchorFromSeal((yield* (yield* SealStore).head(organizationId))!)
      const where = `where organization_id = '${organizationId}' and`
      yield* asSuperuser(
        [
          `delete from answer ${where} scan_id = '${scan!.id}'`,
          `delete from seal ${where} sequence = 3`,
          `delete from scan ${where} id = '${scan!.id}'`
        ],
        Effect.gen(function*() {
          expect((yield* verify(organizationId)).named).toEqual([])
          expect((yield* verify(organizationId, head)).named).toEqual(["seal 3 removed"])
        })
      )
      expect((yield* verify(organizationId, head)).named).toEqual([])
      expect((yield* verify(organizationId, { ...head, sequence: 2 })).named).toEqual(["seal 2 changed"])
    })))

  it("the proof of one answer is valid by itself, and a changed proof is not valid", () =>
    storage.run(Effect.gen(function*() {
      const { organizationId, scans } = made
      const id = yield* oneAnswer(organizationId, scans[0]!.id, 11)
      const proof = JSON.stringify(yield* proveAnswer(organizationId, wholeHistory, id))
      const head = anchorFromSeal((yield* (yield* SealStore).head(organizationId))!)
      const faults = (changed: string, anchor: Anchor | null = head) => {
        const problems: Array<string> = []
        const read = Result.getOrThrow(parseProof(changed))
        checkProof(read, anchor, ({ id: named, problem, what }) => problems.push(`${what} ${named} ${problem}`))
        return problems
      }
      expect(JSON.parse(proof)).toMatchObject({
        answer: { id },
        chain: [{ sequence: 1 }, { sequence: 2 }, { sequence: 3 }]
      })
      expect(faults(proof)).toEqual([])
      expect(faults(proof.replace("best anvil", "best onvil"))).toEqual([`answer ${id} changed`])
      expect(faults(proof.replace("\"left\"", "\"right\""))).toEqual([`answer ${id} changed`])
      expect(faults(proof.replaceAll(scans[1]!.id, scans[0]!.id))).toEqual(["seal 2 changed"])
      expect(faults(proof, { ...head, hash: "0".repeat(64) })).toEqual(["seal 3 changed"])
      expect(faults(proof, { ...head, sequence: 9 })).toEqual(["seal 9 removed"])
      expect(Result.isFailure(parseProof(proof.replace("sov_proof", "x")))).toBe(true)
      expect(
        parseProof(proof.replace("\"raw_response\":", "\"raw_response\":\"a \\\" forged: one\",\"raw_response\":"))
      )
        .toEqual(Result.fail("a member stands there twice"))
      expect(faults(JSON.stringify(JSON.parse(proof), undefined, 2))).toEqual([])
      expect(Result.isFailure(parseProof(proof.replace(/"created_at":"[^"]*"/, "\"created_at\":\"2026-99-99\""))))
        .toBe(true)
      const running = yield* answeredScan(organizationId, 200, text)
      const open = yield* oneAnswer(organizationId, running.id)
      expect(yield* Effect.flip(proveAnswer(organizationId, wholeHistory, open))).toMatchObject({ _tag: "NotSealed" })
    })))
})
