import * as fs from "node:fs"

/** Waits until the data of a file, or the entries of a folder, are on disk. */
export const syncFile = (file: string): void => {
  const descriptor = fs.openSync(file, "r")
  try {
    fs.fsyncSync(descriptor)
  } finally {
    fs.closeSync(descriptor)
  }
}
