/** The picture at the head of a report. Drawings (SVG) are refused: they may hold programs and load other files. */
import { createHash } from "node:crypto"

export interface Logo {
  readonly type: "image/png" | "image/jpeg" | "image/webp"
  /** Of the bytes, hex. */
  readonly sha256: string
  readonly bytes: Uint8Array
}

/** A logo is in each copy of the report. */
export const maxLogoBytes = 102_400

const startsWith = (bytes: Uint8Array, at: number, ...signs: ReadonlyArray<number>): boolean =>
  signs.every((sign, i) => bytes[at + i] === sign)

const typeOf = (bytes: Uint8Array): Logo["type"] | null => {
  if (startsWith(bytes, 0, 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) return "image/png"
  if (startsWith(bytes, 0, 0xff, 0xd8, 0xff)) return "image/jpeg"
  const isWebp = startsWith(bytes, 0, 0x52, 0x49, 0x46, 0x46) && startsWith(bytes, 8, 0x57, 0x45, 0x42, 0x50)
  return isWebp ? "image/webp" : null
}

/** Reads a picture by its first bytes, whatever its name says; a sentence where it may not be a logo. */
export const readLogo = (bytes: Uint8Array): Logo | string => {
  const type = typeOf(bytes)
  if (type === null) return "it is no PNG, JPEG or WebP picture"
  if (bytes.length > maxLogoBytes) return `it has ${bytes.length} bytes, and a logo may have ${maxLogoBytes}`
  return { type, sha256: createHash("sha256").update(bytes).digest("hex"), bytes }
}
