/**
 * Secrets at rest: AES-256-GCM, with the place where the secret lies as associated data, so that one that was moved to
 * another row does not open. Stored as `v1.KEY.NONCE.CIPHERTEXT` (base64url; the tag ends the ciphertext).
 */
import { Result } from "effect"
import { createCipheriv, createDecipheriv } from "node:crypto"

/** A key of 32 bytes; `id` says which one sealed a secret. */
export interface EncryptionKey {
  readonly id: string
  readonly bytes: Uint8Array
}

const tagBytes = 16

/** Random bytes that each sealing needs: never the same ones twice. */
export const nonceBytes = 12

/** Reads `id:base64,id:base64,…`; the first key seals, all open. Fails with what is wrong, never showing a key. */
export const parseEncryptionKeys = (text: string): Result.Result<ReadonlyArray<EncryptionKey>, string> => {
  const keys: Array<EncryptionKey> = []
  for (const [index, part] of text.split(",").entries()) {
    const [, id, encoded] = /^\s*([A-Za-z0-9_-]{1,32}):([A-Za-z0-9+/_-]{43}=?)\s*$/.exec(part) ?? []
    const bytes = Buffer.from(encoded ?? "", "base64")
    if (id === undefined || bytes.length !== 32) {
      return Result.fail(`key ${index + 1} is not ID:BASE64 of 32 bytes`)
    }
    if (keys.some((key) => key.id === id)) return Result.fail(`key ${index + 1} has the id of another one`)
    keys.push({ id, bytes })
  }
  return Result.succeed(keys)
}

/** Seals `text` for one `place`. */
export const seal = (key: EncryptionKey, nonce: Uint8Array, place: string, text: string): string => {
  const cipher = createCipheriv("aes-256-gcm", key.bytes, nonce).setAAD(Buffer.from(place))
  const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()])
  return `v1.${key.id}.${Buffer.from(nonce).toString("base64url")}.${sealed.toString("base64url")}`
}

/** Opens what was sealed for `place`; fails with `no key ID` or that it is damaged or of another place. */
export const unseal = (
  keys: ReadonlyArray<EncryptionKey>,
  place: string,
  sealed: string
): Result.Result<string, string> => {
  const [version, id, nonce, text] = sealed.split(".")
  const key = keys.find((one) => one.id === id)
  if (key === undefined) return Result.fail(`there is no key ${JSON.stringify(id ?? "")}`)
  try {
    const bytes = Buffer.from(text ?? "", "base64url")
    if (version !== "v1") return Result.fail("it is of another version")
    const options = { authTagLength: tagBytes }
    const decipher = createDecipheriv("aes-256-gcm", key.bytes, Buffer.from(nonce ?? "", "base64url"), options)
      .setAAD(Buffer.from(place)).setAuthTag(bytes.subarray(-tagBytes))
    return Result.succeed(decipher.update(bytes.subarray(0, -tagBytes), undefined, "utf8") + decipher.final("utf8"))
  } catch {
    return Result.fail("it is damaged, or was sealed for another place or with another key of that name")
  }
}
