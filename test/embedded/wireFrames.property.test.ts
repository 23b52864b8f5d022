import * as fc from "fast-check"
import { expect, test } from "vitest"
import { forEachFrame, FrontendBuffer } from "../../packages/core/src/adapters/embedded/wireFrames.ts"
import { query, startup } from "./support/RawClient.ts"

const cut = (bytes: Buffer, sizes: ReadonlyArray<number>): Array<Buffer> => {
  const chunks: Array<Buffer> = []
  for (let at = 0, i = 0; at < bytes.length; i++) {
    const size = sizes.length === 0 ? bytes.length : sizes[i % sizes.length] ?? 1
    chunks.push(bytes.subarray(at, at + size))
    at += size
  }
  return chunks
}

test("a stream that is split anywhere yields the same complete frames in order", () => {
  fc.assert(fc.property(
    fc.array(fc.string({ maxLength: 300 }), { maxLength: 12 }),
    fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1, maxLength: 8 }),
    (statements, sizes) => {
      const sent = statements.map((sql) => query(sql.replaceAll("\0", "")))
      const buffer = new FrontendBuffer()
      const got: Array<Buffer> = []
      for (const chunk of cut(Buffer.concat([startup(), ...sent]), sizes)) {
        buffer.push(chunk)
        for (let bytes; (bytes = buffer.shift()) !== undefined;) {
          if (got.length === 0) got.push(bytes)
          else expect(forEachFrame(bytes, (_type, frame) => got.push(frame))).toHaveLength(0)
        }
      }
      expect(buffer.hasComplete).toBe(false)
      expect(got).toEqual([startup(), ...sent])
    }
  ))
})

test("a stream without its last byte never yields its last frame", () => {
  fc.assert(fc.property(fc.string({ maxLength: 200 }), (sql) => {
    const buffer = new FrontendBuffer()
    buffer.push(Buffer.concat([startup(), query(sql.replaceAll("\0", ""))]).subarray(0, -1))
    expect(buffer.shift()).toEqual(startup())
    expect(buffer.shift()).toBeUndefined()
  }))
})
