import { relative, sep } from "node:path"

const ENTRY = /^packages\/(?:http|mcp|cli)\/src\//
const BOUNDED_MEMBERS = new Set(["limit", "maxAge", "maxLength", "maxlength"])
const BOUNDING_CALLS = new Set(["integerOption", "integerParameter", "isBetweenLength", "isMaxLength"])

/** 0 and 1 are not bounds that could differ between two declarations. */
const isBareBound = (node) => node.type === "Literal" && typeof node.value === "number" && node.value > 1

/**
 * The lint rule `sov/bounds`: bounds in entries must be named constants. The domain declares the bounds of input from
 * people and clients, so that all entries accept the same input.
 */
export const bounds = {
  create(context) {
    const here = relative(context.cwd, context.filename).split(sep).join("/")
    if (!ENTRY.test(here)) return {}
    const report = (node, what) =>
      context.report({
        node,
        message: `${what} needs a named bound: import the domain's, or declare one beside its use`
      })
    return {
      Property(node) {
        const name = node.key.name ?? node.key.value
        if (!node.computed && BOUNDED_MEMBERS.has(name) && isBareBound(node.value)) report(node.value, name)
      },
      CallExpression(node) {
        const name = node.callee.name ?? node.callee.property?.name
        if (BOUNDING_CALLS.has(name)) { for (const bound of node.arguments.filter(isBareBound)) report(bound, name) }
      },
      TemplateElement(node) {
        if (/\bmaxlength="?\d/i.test(node.value.raw)) report(node, "maxlength")
      }
    }
  }
}
