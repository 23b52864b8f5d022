/**
 * Builds `assets/pglite-<version>.tar.br`: an empty database cluster for the installed PGlite, created by initdb and
 * shut down cleanly, as a tar file compressed with brotli. Run it when the pinned version changes:
 * `node packages/core/scripts/buildClusterDump.ts`.
 */
import { PGlite } from "@electric-sql/pglite"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { brotliCompressSync, constants } from "node:zlib"
import { locateClusterDump, readPgliteVersion } from "../src/adapters/embedded/clusterDump.ts"

/** One ustar entry (POSIX.1-1988): a 512-byte header, then the data, padded to full blocks. */
const entry = (name: string, data: Buffer | undefined): Buffer => {
  const header = Buffer.alloc(512)
  const octal = (value: number, at: number, length: number) =>
    header.write(value.toString(8).padStart(length - 1, "0") + "\0", at, "latin1")
  if (Buffer.byteLength(name) > 100) throw new Error(`${name} is too long for a ustar header`)
  header.write(name, 0, "latin1")
  octal(data === undefined ? 0o700 : 0o600, 100, 8)
  octal(0, 108, 8)
  octal(0, 116, 8)
  octal(data?.length ?? 0, 124, 12)
  octal(0, 136, 12)
  header.write("        ", 148, "latin1")
  header.write(data === undefined ? "5" : "0", 156, "latin1")
  header.write("ustar\0" + "00", 257, "latin1")
  octal(header.reduce((sum, byte) => sum + byte, 0), 148, 8)
  return Buffer.concat([header, data ?? Buffer.alloc(0), Buffer.alloc(-(data?.length ?? 0) & 511)])
}

const work = fs.mkdtempSync(path.join(os.tmpdir(), "sov-cluster-"))
try {
  const cluster = path.join(work, "db")
  const engine = await PGlite.create({ dataDir: cluster })
  await engine.close()
  const found = fs.readdirSync(cluster, { recursive: true, withFileTypes: true })
    .map((each) => ({ path: path.join(each.parentPath, each.name), directory: each.isDirectory() }))
    .sort((a, b) => a.path < b.path ? -1 : 1)
  const tar = Buffer.concat([
    ...found.map((each) =>
      entry(path.relative(cluster, each.path), each.directory ? undefined : fs.readFileSync(each.path))
    ),
    Buffer.alloc(1024)
  ])
  const packed = brotliCompressSync(tar, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
      [constants.BROTLI_PARAM_SIZE_HINT]: tar.length
    }
  })
  const file = locateClusterDump(readPgliteVersion())
  fs.mkdirSync(new URL(".", file), { recursive: true })
  fs.writeFileSync(file, packed)
  console.log(`${file.pathname}: ${tar.length} bytes as ${packed.length}`)
} finally {
  fs.rmSync(work, { recursive: true })
}
