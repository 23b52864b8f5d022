/** Runs the whole import for a log, with a store that only records. */
import {
  builtInSources,
  importTraffic,
  type OrganizationId,
  TrackedSetStore,
  type TrafficImportOptions,
  type TrafficLine,
  TrafficStore,
  Transaction
} from "@sov/core"
import { Effect, Layer, Result, Stream } from "effect"
import { SecureRandom } from "effect/crypto"
import { unaudited } from "./unaudited.ts"

type Options = Partial<TrafficImportOptions> & {
  /** Size of each chunk in bytes; by default everything is one chunk. */
  readonly chunk?: number
}

/** Organization for imports that do not use a database. */
const nobody = "00000000-0000-7000-8000-000000000000" as OrganizationId

/** Splits bytes into pieces of `size`. */
export const chunked = (bytes: Uint8Array, size: number): ReadonlyArray<Uint8Array> =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) => bytes.subarray(n * size, (n + 1) * size))

/** The counts of a log: every hit in order, and the tally; `fault` says why a log cannot be read. */
export const importOf = (log: string | Uint8Array, { chunk, ...options }: Options = {}) => {
  const bytes = Buffer.from(log)
  const hits: Array<TrafficLine> = []
  const store = Layer.mock(TrafficStore, {
    add: (_, lines) => {
      hits.push(...lines)
      return Effect.succeed(lines)
    }
  })
  const sets = Layer.mock(TrackedSetStore, { current: () => Effect.succeed(null) })
  const transaction = Layer.mock(Transaction, { run: (effect) => effect })
  const result = Effect.runSync(
    importTraffic(nobody, Stream.fromIterable(chunked(bytes, chunk ?? Math.max(1, bytes.length))), {
      sources: builtInSources,
      ...options
    }).pipe(
      Effect.result,
      Effect.provide(Layer.mergeAll(store, sets, transaction, unaudited, SecureRandom.layerWebCrypto))
    )
  )
  return Result.isSuccess(result)
    ? { hits, ...result.success, fault: null }
    : { hits, log: null, found: null, added: null, ownSite: null, fault: result.failure.message }
}
