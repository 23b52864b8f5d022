/** Reads the names that a module exports from its source, because a loaded module does not contain its types. */
import { readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { parseAst } from "vitest/node"

/** Whether programs can use a name as a value, or only in types. */
export type ExportedNames = ReadonlyMap<string, "value" | "type">

const cache = new Map<string, ExportedNames>()

/** Exported names of the TypeScript module at `path`, including those re-exported from modules of its package. */
export const readExportedNames = (path: string): ExportedNames => {
  const known = cache.get(path)
  if (known !== undefined) return known
  const names = new Map<string, "value" | "type">()
  const add = (name: string, isType: boolean) => {
    if (names.get(name) !== "value") names.set(name, isType ? "type" : "value")
  }
  const namesFrom = (source: string): ExportedNames =>
    source.startsWith(".") ? readExportedNames(join(dirname(path), source)) : new Map()

  for (const node of parseAst(readFileSync(path, "utf8"), { lang: "ts" }).body) {
    if (node.type === "ExportDefaultDeclaration") add("default", false)
    if (node.type === "ExportAllDeclaration") {
      const isType = node.exportKind === "type"
      if (node.exported !== null) add(nameOf(node.exported), isType)
      else for (const [name, kind] of namesFrom(node.source.value)) add(name, isType || kind === "type")
    }
    if (node.type !== "ExportNamedDeclaration") continue
    const isType = node.exportKind === "type"
    const { declaration } = node
    if (declaration?.type === "VariableDeclaration") {
      for (const { id } of declaration.declarations) if (id.type === "Identifier") add(id.name, isType)
    } else if (declaration !== null && "id" in declaration && declaration.id?.type === "Identifier") {
      add(declaration.id.name, isType || /Interface|TypeAlias/.test(declaration.type))
    }
    for (const { exported, exportKind, local } of node.specifiers) {
      const from = node.source === null ? undefined : namesFrom(node.source.value).get(nameOf(local))
      add(nameOf(exported), isType || exportKind === "type" || from === "type")
    }
  }
  cache.set(path, names)
  return names
}

const nameOf = (name: { readonly type: string; readonly name?: string; readonly value?: unknown }): string =>
  name.name ?? String(name.value)
