import * as fs from "node:fs"

/** O_CLOEXEC in the octal `flags:` of /proc/self/fdinfo (Linux, on every architecture of Node but sparc and alpha). */
const O_CLOEXEC = 0o2000000

/**
 * Closes every descriptor that was inherited from the parent. Node marks inherited descriptors close-on-exec only up to
 * the first gap above 15, so this process may hold a pipe of the caller's shell, and `out=$(sov …)` would wait until it
 * ends. Node's own descriptors have the mark and stay open. Does nothing without /proc (macOS).
 */
export const closeInheritedDescriptors = (): void => {
  let names: ReadonlyArray<string>
  try {
    names = fs.readdirSync("/proc/self/fdinfo")
  } catch {
    return
  }
  for (const name of names) {
    const descriptor = Number(name)
    if (descriptor <= 2) continue
    try {
      const flags = /flags:\s*(\d+)/.exec(fs.readFileSync(`/proc/self/fdinfo/${name}`, "utf8"))?.[1] ?? ""
      if ((Number.parseInt(flags, 8) & O_CLOEXEC) === 0) fs.closeSync(descriptor)
    } catch {
      // The descriptor of the directory listing itself, already closed
    }
  }
}
