/** Reads the members of the official types with the TypeScript compiler, and which of them sov uses. */
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { API, type Type } from "typescript/unstable/sync"
import { imports, memberPairs } from "./memberPairs.ts"

/** The members of an official type. */
export interface Members {
  readonly all: ReadonlyArray<string>
  readonly deprecated: ReadonlyArray<string>
}

/** The findings for a pair of types. */
export interface Found extends Members {
  readonly used: ReadonlyArray<string>
}

/** Reads all pairs with the SDKs in `directory`/node_modules. A type that the SDK no longer exports has no members. */
export const readMembers = (directory: string, repository: string): ReadonlyMap<string, Found> => {
  mkdirSync(directory, { recursive: true })
  const probe = memberPairs.map(({ ours, theirs }, i) =>
    `export declare const ours${i}: ${ours}\nexport declare const theirs${i}: ${theirs}\n`
  )
  const source = imports.replaceAll("REPOSITORY", repository) + probe.join("")
  const [file, project] = [join(directory, "probe.ts"), join(directory, "tsconfig.json")]
  writeFileSync(file, source)
  writeFileSync(
    project,
    JSON.stringify({
      compilerOptions: {
        target: "es2024",
        lib: ["es2024", "dom"],
        module: "nodenext",
        types: [],
        noEmit: true,
        strict: true,
        allowImportingTsExtensions: true,
        skipLibCheck: true
      },
      files: [file]
    })
  )
  const api = new API()
  try {
    const { checker } = api.updateSnapshot({ openProjects: [project] }).getProject(project)!
    const typeOf = (name: string): Type | undefined => checker.getTypeAtPosition(file, source.indexOf(`${name}:`))
    const parts = (type: Type): ReadonlyArray<Type> => type.isUnionType() ? type.getTypes().flatMap(parts) : [type]
    const members = (type: Type | undefined) =>
      type === undefined || type.isErrorType() ? [] : parts(type).flatMap((part) => checker.getPropertiesOfType(part))
    const sorted = (names: ReadonlyArray<string>) => [...new Set(names)].toSorted()
    return new Map(memberPairs.map(({ name }, i) => {
      const theirs = members(typeOf(`theirs${i}`))
      const found: Found = {
        all: sorted(theirs.map((member) => member.name)),
        deprecated: sorted(
          theirs.filter((member) => checker.getJsDocTagsOfSymbol(member).some((tag) => tag.name === "deprecated"))
            .map((member) => member.name)
        ),
        used: sorted(members(typeOf(`ours${i}`)).map((member) => member.name))
      }
      return [name, found]
    }))
  } finally {
    api.close()
  }
}
