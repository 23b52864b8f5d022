/** A parser reads any text in any hole as exactly that text and as nothing else. */
import fc from "fast-check"
import { type DefaultTreeAdapterTypes, parse } from "parse5"
import { describe, expect, it } from "vitest"
import { to } from "../../../packages/http/src/dashboard/Address.ts"
import { attributes, type Html, html, render } from "../../../packages/http/src/dashboard/html.ts"
import { propertyRuns } from "../../support/propertyRuns.ts"

type Node = DefaultTreeAdapterTypes.ChildNode
type Element = DefaultTreeAdapterTypes.Element

const elementsOf = (nodes: ReadonlyArray<Node>): ReadonlyArray<Element> =>
  nodes.flatMap((node) => "tagName" in node ? [node, ...elementsOf(node.childNodes)] : [])

const textOf = (nodes: ReadonlyArray<Node>): string =>
  nodes.map((node) => "value" in node ? node.value : "childNodes" in node ? textOf(node.childNodes) : "").join("")

/** The elements of a page in document order, and a function that finds an element by its name. */
const parsed = (page: Html) => {
  const elements = elementsOf(parse(render(page)).childNodes as ReadonlyArray<Node>)
  return {
    names: elements.map(({ tagName }) => tagName),
    find: (name: string) => {
      const element = elements.find(({ tagName }) => tagName === name)!
      return {
        text: textOf(element.childNodes),
        attributes: Object.fromEntries(element.attrs.map((one) => [one.name, one.value]))
      }
    }
  }
}

const pieces = [
  "<",
  ">",
  "\"",
  "'",
  "&",
  "&lt;",
  "&#39",
  "--",
  "-->",
  "<!--",
  "]]>",
  "=",
  "/",
  " ",
  "\n",
  "\r",
  "\r\n",
  "\t",
  "\0",
  "<script>",
  "</script>",
  "</title>",
  "</textarea>",
  "</pre>",
  "</p>",
  "</style>",
  "<svg/onload=x>",
  "<img src=x>",
  "javascript:",
  "onclick=x",
  "${x}",
  "\u2028",
  "\ufeff",
  "\u202e",
  "\u{e0041}",
  "&colon;",
  "`"
]
const anyText = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.array(fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 3 })), { maxLength: 12 })
    .map((parts) => parts.join(""))
)

/** HTML cannot contain NUL. */
const held = (text: string): string => text.replaceAll("\0", "\ufffd")

describe("any text", () => {
  it("any text between tags is parsed as the same text, and adds no element", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const page = parsed(
          html`<!doctype html><title>${text}</title><p>${text}</p><pre>${text}</pre><textarea>${text}</textarea>`
        )
        expect(page.names).toEqual(["html", "head", "title", "body", "p", "pre", "textarea"])
        for (const name of ["title", "p", "pre", "textarea"]) expect(page.find(name).text).toBe(held(text))
      }),
      { numRuns: propertyRuns(2_000) }
    )
  })

  it("any text in quoted attributes is parsed as the same text, and adds no attribute", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const page = parsed(html`<!doctype html><p title="${text}" class='${text}'${attributes({ lang: text })}></p>`)
        expect(page.names).toEqual(["html", "head", "body", "p"])
        expect(page.find("p").attributes).toEqual({ title: held(text), class: held(text), lang: held(text) })
      }),
      { numRuns: propertyRuns(2_000) }
    )
  })

  it("any text in the query of an address is parsed as the same text", () => {
    fc.assert(fc.property(anyText.filter((text) => text !== ""), (text) => {
      const { attributes: { href = "" } } = parsed(html`<!doctype html><a href="${to("/o/a", { q: text })}"></a>`)
        .find("a")
      const url = new URL(href, "http://sov.example")
      expect(url.host).toBe("sov.example")
      expect(url.searchParams.get("q")).toBe(text.toWellFormed())
    }))
  })
})
