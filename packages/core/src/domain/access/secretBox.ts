/**
 * Encryption of secrets in the database: AES-256-GCM (NIST SP 800-38D). The associated data is a `context` that names
 * the row, so a secret that was copied to another row does not decrypt. Stored form: `v1.KEY.NONCE.CIPHERTEXT` (key id,
 * then base64url; the authentication tag ends the ciphertext).
 */
import { Result } from "effect"
import { createCipheriv, createDecipheriv } from "node:crypto"

/** A key of 32 bytes. Each encrypted secret contains the `id` of its key. */
export interface EncryptionKey {
  readonly id: string
  readonly bytes: Uint8Array
}

const tagBytes = 16

/** Length of the nonce in bytes. Use random bytes: a key must never encrypt twice with the same nonce. */
export const nonceBytes = 12

/**
 * Parses `id:base64,id:base64,…`, keys of 32 bytes. The first key encrypts; any of them can decrypt. Fails with one
 * line that names the wrong entry and never shows a key.
 */
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

/** Encrypts `text`, which can only be decrypted with the same `context`. Returns the stored form. */
export const encrypt = (key: EncryptionKey, nonce: Uint8Array, context: string, text: string): string => {
  const cipher = createCipheriv("aes-256-gcm", key.bytes, nonce).setAAD(Buffer.from(context))
  const encrypted = Buffer.concat([cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()])
  return `v1.${key.id}.${Buffer.from(nonce).toString("base64url")}.${encrypted.toString("base64url")}`
}

/** The id of the key in a stored form. */
export const readKeyId = (encrypted: string): string => encrypted.split(".")[1] ?? ""

/**
 * Decrypts a stored form with the key that it names. Fails with one line if there is no such key, the form has another
 * version, or the text is damaged (also if `context` or the key differs from the one used to encrypt).
 */
export const decrypt = (
  keys: ReadonlyArray<EncryptionKey>,
  context: string,
  encrypted: string
): Result.Result<string, string> => {
  const [version, id, nonce, text] = encrypted.split(".")
  const key = keys.find((one) => one.id === id)
  if (key === undefined) return Result.fail(`there is no key ${JSON.stringify(id ?? "")}`)
  try {
    const bytes = Buffer.from(text ?? "", "base64url")
    if (version !== "v1") return Result.fail("it is of another version")
    const options = { authTagLength: tagBytes }
    const decipher = createDecipheriv("aes-256-gcm", key.bytes, Buffer.from(nonce ?? "", "base64url"), options)
      .setAAD(Buffer.from(context)).setAuthTag(bytes.subarray(-tagBytes))
    return Result.succeed(decipher.update(bytes.subarray(0, -tagBytes), undefined, "utf8") + decipher.final("utf8"))
  } catch {
    return Result.fail("it is damaged, or was encrypted for another row or with another key of that id")
  }
}
