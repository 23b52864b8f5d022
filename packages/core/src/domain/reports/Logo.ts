/** The logo at the top of a report. SVG files are refused, because they can contain programs and load other files. */
import { Schema } from "effect"
import { createHash } from "node:crypto"

/** Image types that a logo may have. */
export const LogoType = Schema.Literals(["image/png", "image/jpeg", "image/webp"])
export type LogoType = typeof LogoType.Type

export interface Logo {
  readonly type: LogoType
  /** SHA-256 of the bytes, in hex. */
  readonly sha256: string
  readonly bytes: Uint8Array
}

/** Maximum size in bytes; every copy of the report contains the logo. */
export const maxLogoBytes = 102_400

const startsWith = (bytes: Uint8Array, at: number, ...signs: ReadonlyArray<number>): boolean =>
  signs.every((sign, i) => bytes[at + i] === sign)

const typeOf = (bytes: Uint8Array): LogoType | null => {
  if (startsWith(bytes, 0, 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) return "image/png"
  if (startsWith(bytes, 0, 0xff, 0xd8, 0xff)) return "image/jpeg"
  const isWebp = startsWith(bytes, 0, 0x52, 0x49, 0x46, 0x46) && startsWith(bytes, 8, 0x57, 0x45, 0x42, 0x50)
  return isWebp ? "image/webp" : null
}

/**
 * Detects an image's type by its first bytes, whatever its file name. Returns a sentence if the image cannot be used as
 * a logo.
 */
export const readLogo = (bytes: Uint8Array): Logo | string => {
  const type = typeOf(bytes)
  if (type === null) return "it is no PNG, JPEG or WebP picture"
  if (bytes.length > maxLogoBytes) return `it has ${bytes.length} bytes, and a logo may have ${maxLogoBytes}`
  return { type, sha256: createHash("sha256").update(bytes).digest("hex"), bytes }
}
