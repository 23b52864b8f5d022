/**
 * A ZIP as a stream: other programs can read it, little of it is in memory, and reading of entries stops when the
 * reader stops.
 */
import { Cause, Deferred, Effect, Exit, Fiber, Stream } from "effect"
import { execFileSync } from "node:child_process"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { zipStream } from "../../packages/http/src/zip.ts"
import { workspace } from "../support/sov.ts"

const at = new Date("2026-11-22T10:00:00Z")
const bytes = (...texts: ReadonlyArray<string>) => Stream.fromIterable(texts.map((text) => Buffer.from(text)))

it("other programs can unpack the ZIP, whose entries are added one after the other", async () => {
  let first = ""
  const entries = [
    { name: "a.txt", content: Stream.tap(bytes("Zürich ", "€"), (one) => Effect.sync(() => first += one.toString())) },
    { name: "empty.txt", content: bytes() },
    { name: "b.txt", content: Stream.suspend(() => bytes(`after ${first}`)) }
  ]
  const chunks = await Effect.runPromise(Stream.runCollect(zipStream(entries, at)))
  const folder = workspace()
  writeFileSync(join(folder, "x.zip"), Buffer.concat(chunks))
  const unzip = (...args: ReadonlyArray<string>) => execFileSync("unzip", args, { cwd: folder, encoding: "utf8" })
  expect(unzip("-t", "x.zip")).toContain("No errors detected")
  expect(["a.txt", "empty.txt", "b.txt"].map((name) => unzip("-p", "x.zip", name))).toEqual([
    "Zürich €",
    "",
    "after Zürich €"
  ])
})

/** Random bytes, which cannot be compressed. */
const block = () => crypto.getRandomValues(new Uint8Array(65_536))

it("the entries are read only as fast as the ZIP is read", async () => {
  let read = 0
  const content = Stream.fromEffectRepeat(Effect.sync(() => (read++, block())))
  const taken = await Effect.runPromise(
    zipStream([{ name: "x", content }], at).pipe(
      Stream.take(3),
      Stream.mapEffect((one) => Effect.as(Effect.sleep("5 millis"), one)),
      Stream.runCollect
    )
  )
  expect(taken.length).toBe(3)
  expect(read).toBeLessThan(60)
})

it("the entries are closed when the reader leaves, even while they wait", async () => {
  const ended = await Effect.runPromise(Effect.gen(function*() {
    const closed = yield* Deferred.make<"closed">()
    const begun = yield* Deferred.make<void>()
    const content = Stream.concat(
      bytes("x"),
      Stream.fromEffect(Effect.andThen(Deferred.succeed(begun, undefined), Effect.never))
    ).pipe(
      Stream.ensuring(Deferred.succeed(closed, "closed"))
    )
    const reader = yield* Effect.forkChild(Stream.runDrain(zipStream([{ name: "x", content }], at)))
    yield* Deferred.await(begun)
    yield* Fiber.interrupt(reader)
    return yield* Effect.timeout(Deferred.await(closed), "2 minutes")
  }))
  expect(ended).toBe("closed")
})

it("if an entry fails, the ZIP fails and has no directory", async () => {
  const sent: Array<Uint8Array> = []
  const content = Stream.concat(bytes("x".repeat(100)), Stream.fail(new Error("the database is gone")))
  const exit = await Effect.runPromise(Effect.exit(
    Stream.runForEach(zipStream([{ name: "x", content }], at), (one) => Effect.sync(() => void sent.push(one)))
  ))
  expect(Exit.isFailure(exit) && Cause.pretty(exit.cause)).toContain("the database is gone")
  expect(Buffer.concat(sent).includes(Buffer.from("PK\u0005\u0006", "latin1"))).toBe(false)
})
