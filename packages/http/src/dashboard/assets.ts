/**
 * Files that pages load. Each file is read and compressed once. Its path contains a hash of its content, so browsers
 * can cache it forever.
 */
import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { brotliCompressSync, constants, gzipSync } from "node:zlib"
import { type Address, to } from "./Address.ts"

const contentTypes = {
  "style.css": "text/css; charset=utf-8",
  "enhance.js": "text/javascript; charset=utf-8",
  "icon.svg": "image/svg+xml"
} as const

export type AssetName = keyof typeof contentTypes

/** A file with its compressed forms, ready to be served. */
export interface Asset {
  /** Form: `/assets/NAME.HASH.EXTENSION` */
  readonly path: `/${string}`
  readonly contentType: string
  readonly bytes: Uint8Array
  readonly brotli: Uint8Array
  readonly gzip: Uint8Array
}

const readAsset = (name: AssetName): Asset => {
  const bytes = readFileSync(new URL(`./assets/${name}`, import.meta.url))
  const hash = createHash("sha256").update(bytes).digest("base64url").slice(0, 12)
  const [stem, extension] = name.split(".")
  return {
    path: `/assets/${stem}.${hash}.${extension}`,
    contentType: contentTypes[name],
    bytes,
    brotli: brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }),
    gzip: gzipSync(bytes, { level: 9 })
  }
}

let made: { readonly [name in AssetName]: Asset } | undefined

/** All assets, by name. */
export const readAssets = (): { readonly [name in AssetName]: Asset } =>
  made ??= {
    "style.css": readAsset("style.css"),
    "enhance.js": readAsset("enhance.js"),
    "icon.svg": readAsset("icon.svg")
  }

/** The address of an asset, for use in a page. */
export const assetAddress = (name: AssetName): Address => to(readAssets()[name].path)
