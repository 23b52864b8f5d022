import * as fs from "node:fs"

/** Waits until what was written to a file, or to the list of a folder, is on the disk. */
export const syncFile = (file: string): void => {
  const descriptor = fs.openSync(file, "r")
  try {
    fs.fsyncSync(descriptor)
  } finally {
    fs.closeSync(descriptor)
  }
}
