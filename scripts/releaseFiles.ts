/** Edits the files that a release changes: functions from text to text. */

/** The version after this bump, or the named version if it is higher; undefined for anything else. */
export const nextVersion = (current: string, bump: string): string | undefined => {
  const parts = current.split(".").map(Number)
  const [major = 0, minor = 0, patch = 0] = parts
  if (bump === "major") return `${major + 1}.0.0`
  if (bump === "minor") return `${major}.${minor + 1}.0`
  if (bump === "patch") return `${major}.${minor}.${patch + 1}`
  if (!/^\d+\.\d+\.\d+$/.test(bump)) return undefined
  const named = bump.split(".").map(Number)
  const at = named.findIndex((part, n) => part !== parts[n])
  return at !== -1 && named[at]! > parts[at]! ? bump : undefined
}

interface Manifest {
  name?: string
  version?: string
  packages?: Record<string, Manifest>
  [member: string]: unknown
}

const dependencies = ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"]

/** Whether an entry of the lock file is a workspace of this repository. */
const isWorkspace = (path: string): boolean => !path.includes("node_modules")

const update = (manifest: Manifest, from: string, to: string): void => {
  if (manifest.version === from) manifest.version = to
  for (const kind of dependencies) {
    const wanted = manifest[kind] as Record<string, string> | undefined
    for (const [name, range] of Object.entries(wanted ?? {})) {
      if (name.startsWith("@sov/")) wanted![name] = range.replace(from, to)
    }
  }
}

/** The text of a package.json or package-lock.json with another version of sov's own packages. */
export const setVersion = (text: string, from: string, to: string): string => {
  const manifest = JSON.parse(text) as Manifest
  update(manifest, from, to)
  for (const [path, entry] of Object.entries(manifest.packages ?? {})) if (isWorkspace(path)) update(entry, from, to)
  return `${JSON.stringify(manifest, undefined, 2)}\n`
}

/**
 * The page with new version numbers. Its commands install one version, and then the minor version after it; both are
 * set to what is right once `to` is released. Throws if the page does not contain `from`.
 */
export const setPageVersions = (page: string, from: string, to: string): string => {
  const later = new Map([[from, to], [nextVersion(from, "minor")!, nextVersion(to, "minor")!]])
  // Does not match parts of a longer number, such as an IP address
  const versions = /(?<![\d.])\d+\.\d+\.\d+(?!\.?\d)/g
  if (!page.match(versions)?.includes(from)) throw new Error(`the page does not name ${from}`)
  return page.replace(versions, (version) => later.get(version) ?? version)
}

/** The text under the heading of a version. */
export const changelogSection = (changelog: string, version: string): string => {
  const begin = changelog.indexOf(`## [${version}]`)
  if (begin === -1) return ""
  const text = changelog.slice(changelog.indexOf("\n", begin) + 1)
  const end = text.search(/^## /m)
  return (end === -1 ? text : text.slice(0, end)).trim()
}

/** The changelog with the unreleased changes under a version, below a new empty section for unreleased changes. */
export const releaseChangelog = (changelog: string, version: string, day: string): string =>
  changelog.replace("## [Unreleased]\n", `## [Unreleased]\n\n## [${version}] - ${day}\n`)
