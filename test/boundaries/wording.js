/**
 * Phrases that make readers stumble, each with its better form. The linter looks for them in comments and strings
 * (`sov/wording`), test/boundaries/wording.test.ts looks for them in pages.
 */
export const WORDING = [
  { pattern: /\bwhoever\b/gi, better: "name the role: a client, a member, an operator" },
  { pattern: /\bof before\b/gi, better: "say previous, earlier or older" },
  { pattern: /\bso many\b/gi, better: "say this many, or name the number" },
  { pattern: /\b(?:is|are|was|were) none\b/gi, better: "say that there is no such thing, by its name" },
  { pattern: /\bso long\b(?! as)/gi, better: "say this long, or name the duration" },
  { pattern: /\banew\b/gi, better: "say again or new" },
  { pattern: /(?:^|[.:;] )Those (?!\w+s are\b)/g, better: "begin with the noun" },
  { pattern: /\b(?:that|those) alone\b/gi, better: "say only, before its word" },
  { pattern: /(?:^|[.:;] )Likewise\.?$/gi, better: "say what is the same" },
  { pattern: /\bwhose end\b/gi, better: "name what ends, and what waits for it" },
  {
    pattern: /\b(?:for|of|to|by) who\b(?! (?:is|are|may|can|owns?)\b)/gi,
    better: "name the role: a client, a member, an operator"
  },
  { pattern: /\bone a (?:line|scan|page|file|row|keyword|group|capability)\b/gi, better: "say one per" }
]

/** The faults of a text: each phrase in it from the list, with its better form. */
export const wordingFaults = (text) =>
  WORDING.flatMap(({ better, pattern }) =>
    [...text.matchAll(pattern)].map(([phrase]) => `"${phrase.replace(/^[.:;] /, "").trim()}": ${better}`)
  )

/** The text of a comment without the stars at the beginning of its lines. */
const commentText = (comment) => comment.value.replaceAll(/\s*\n\s*\*?\s*/g, " ").replace(/^[\s*/]+/, "").trim()

/** The name of the function with which a chain such as `it.effect.each(rows)` begins. */
const rootName = (callee) => {
  if (callee.type === "CallExpression") return rootName(callee.callee)
  return callee.type === "MemberExpression" ? rootName(callee.object) : callee.name
}

export const wording = {
  create(context) {
    if (context.filename.endsWith("boundaries/wording.test.ts")) return {}
    const check = (node, text) => {
      for (const message of wordingFaults(text)) context.report({ node, message })
    }
    return {
      Program() {
        for (const comment of context.sourceCode.getAllComments()) check(comment, commentText(comment))
      },
      Literal(node) {
        if (typeof node.value === "string") check(node, node.value)
      },
      TemplateElement: (node) => check(node, node.value.cooked ?? ""),
      CallExpression(node) {
        if (!["describe", "it", "test"].includes(rootName(node.callee))) return
        const [title] = node.arguments
        if (typeof title?.value !== "string" || !title.value.startsWith("of ")) return
        context.report({ node: title, message: `"of …" is no title: a sentence has a subject and a verb` })
      }
    }
  }
}
