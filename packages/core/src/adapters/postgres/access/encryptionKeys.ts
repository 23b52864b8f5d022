/** Loads the keys that encrypt secrets in the database. */
import { Effect, Layer, Redacted, Result } from "effect"
import { type EncryptionKey, parseEncryptionKeys } from "../../../domain/access/secretBox.ts"
import { EncryptionKeys, KeysUnusable } from "../../../ports/EncryptionKeys.ts"
import { readKeyFile, readOrCreateKeyFile } from "../../embedded/index.ts"

const makeOne = "SOV_ENCRYPTION_KEYS=k1:$(openssl rand -base64 32), kept for as long as the database"

const parseKeys = (text: string, source: string): Result.Result<ReadonlyArray<EncryptionKey>, KeysUnusable> =>
  Result.mapError(
    parseEncryptionKeys(text),
    (fault) => new KeysUnusable({ message: `${source}: ${fault}`, hint: `it looks like ${makeOne}` })
  )

const parseKeyFile = (read: () => string | undefined): Result.Result<ReadonlyArray<EncryptionKey>, KeysUnusable> => {
  try {
    const text = read()
    return text === undefined ? Result.succeed([]) : parseKeys(text, "encryption.keys of the data directory")
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "error"
    return Result.fail(
      new KeysUnusable({
        message: `encryption.keys of the data directory cannot be used (${code})`,
        hint: "make it readable for this user, or restore it from a backup"
      })
    )
  }
}

/**
 * Provides the keys from `SOV_ENCRYPTION_KEYS` (`ID:BASE64,…`) and from the key file of a data directory (null = a
 * server). The file is created if there is no other key. On a server without keys, `load` fails with KeysUnusable,
 * whose hint says what to set.
 */
export const layerEncryptionKeys = (
  given: Redacted.Redacted | null,
  dataDir: string | null
): Layer.Layer<EncryptionKeys> =>
  Layer.succeed(EncryptionKeys, {
    load: Effect.suspend(() =>
      Effect.fromResult(Result.gen(function*() {
        const own = given === null ? [] : yield* parseKeys(Redacted.value(given), "SOV_ENCRYPTION_KEYS")
        const filed = dataDir === null
          ? []
          : yield* parseKeyFile(() => own.length === 0 ? readOrCreateKeyFile(dataDir) : readKeyFile(dataDir))
        const [first, ...rest] = [...own, ...filed]
        if (first !== undefined) return [first, ...rest] as const
        return yield* Result.fail(
          new KeysUnusable({
            message: "there is no key to encrypt webhook secrets with",
            hint: `set ${makeOne}`
          })
        )
      }))
    )
  })
