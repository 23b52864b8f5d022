/** Files with the compiled functions of commands, one for each, in a folder for each bundle and Node. */
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  unlinkSync,
  writeFileSync
} from "node:fs"
import { crc32 } from "node:zlib"

/** `quick-Ab3_x-9Q.cjs-v24.21.0-x64-1234567890`, which no other folder in Node's compile cache is named like. */
const folderName = /^quick-[\w-]+\.cjs-v\d[\w.+-]*-\w+-\d+$/
/** `score`, `archive-list`; written as `score.4711` by the process 4711. */
const fileName = /^[a-z]+(?:-[a-z]+)?(?:\.\d+)?$/
const writtenName = /\.\d+$/

/** Bundles that are used in turn do not delete each other's files, nor does a process those that others write. */
const minAgeMs = 24 * 3_600_000

/** What was kept in the file, behind a checksum; undefined without one. */
export const readKept = (file: string): Buffer | undefined => {
  try {
    const bytes = readFileSync(file)
    const data = bytes.subarray(4)
    return bytes.readUInt32LE(0) === crc32(data) ? data : undefined
  } catch {
    return undefined
  }
}

const ignoreErrors = (act: () => void): void => {
  try {
    act()
  } catch {
    // What cannot be deleted stays
  }
}

/** Deletes files of other folders, and of this one those that a process left half written, when they are a day old. */
const deleteOld = (caches: string, own: string): void => {
  const before = Date.now() - minAgeMs
  for (const folder of readdirSync(caches, { withFileTypes: true })) {
    // A link is no directory here
    if (!folder.isDirectory() || !folderName.test(folder.name)) continue
    const path = `${caches}/${folder.name}`
    ignoreErrors(() => {
      for (const name of readdirSync(path)) {
        if (!fileName.test(name) || folder.name === own && !writtenName.test(name)) continue
        const stat = lstatSync(`${path}/${name}`)
        if (stat.isFile() && stat.mtimeMs < before) unlinkSync(`${path}/${name}`)
      }
      // Fails while there is something in it
      if (folder.name !== own) rmdirSync(path)
    })
  }
}

/**
 * Keeps `data` as `caches/folder/name`, and deletes what other bundles and Nodes have kept there and nobody has written
 * for a day. Other commands that start meanwhile read the old file or the new one. A cache that is full or read-only is
 * none.
 */
export const keep = (caches: string, folder: string, name: string, data: Buffer): void => {
  const file = `${caches}/${folder}/${name}`
  const sum = Buffer.alloc(4)
  sum.writeUInt32LE(crc32(data))
  const making = `${file}.${process.pid}`
  ignoreErrors(() => {
    // Node itself has made the folder above
    if (!existsSync(`${caches}/${folder}`)) mkdirSync(`${caches}/${folder}`)
    writeFileSync(making, Buffer.concat([sum, data]), { mode: 0o600 })
    renameSync(making, file)
  })
  ignoreErrors(() => deleteOld(caches, folder))
}
