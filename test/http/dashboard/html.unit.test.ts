/** Which values each hole of a template accepts, and how each forbidden template is refused. */
import { describe, expect, it } from "vitest"
import { type Address, externalAddress, to } from "../../../packages/http/src/dashboard/Address.ts"
import { attributes, type Fragment, type Html, html, render } from "../../../packages/http/src/dashboard/html.ts"

/** A value of the wrong type, as it may come from JSON. */
const wrong = <A>(value: unknown): A => value as A

describe("a hole between tags", () => {
  it("a hole between tags accepts text and escapes it", () => {
    expect(render(html`<p>${"<b>&\"'"}</p>`)).toBe("<p>&lt;b&gt;&amp;&quot;&#39;</p>")
  })
  it("a hole between tags accepts numbers, markup, lists of both, and empty values", () => {
    const items: Fragment = ["a<", 2, html`<i>x</i>`, [null, undefined, false], ["b"]]
    expect(render(html`<p>${items}</p>`)).toBe("<p>a&lt;2<i>x</i>b</p>")
  })
  it.each([[{}], [{ toString: () => "<b>" }], [true], [() => "x"], [Symbol("x")], [{ "Symbol(markup)": "<b>" }]])(
    "a hole between tags refuses %s",
    (value) => expect(() => html`<p>${wrong<string>(value)}</p>`).toThrow(TypeError)
  )
  it("a hole between tags refuses an address and attributes", () => {
    expect(() => html`<p>${wrong<string>(to("/x"))}</p>`).toThrow(TypeError)
    expect(() => html`<p>${wrong<string>(attributes({ id: "x" }))}</p>`).toThrow(TypeError)
  })
  it("a hole between tags keeps a first line break after <pre> and <textarea>", () => {
    const text = "\nx"
    expect(render(html`<pre>${text}</pre><textarea name="a">${text}</textarea><p>${text}</p>`))
      .toBe("<pre>\n\nx</pre><textarea name=\"a\">\n\nx</textarea><p>\nx</p>")
  })
})

describe("a hole in a quoted attribute", () => {
  it("a hole in a quoted attribute accepts text, numbers and empty values", () => {
    expect(render(html`<p title="a ${"\"<"} ${1}${null}" class='${"'"}'></p>`))
      .toBe("<p title=\"a &quot;&lt; 1\" class='&#39;'></p>")
  })
  it("a hole in a quoted attribute refuses markup, lists and addresses", () => {
    expect(() => html`<p title="${html`<b></b>`}"></p>`).toThrow(TypeError)
    expect(() => html`<p title="${["a"]}"></p>`).toThrow(TypeError)
    expect(() => html`<p title="${to("/x")}"></p>`).toThrow(TypeError)
  })
})

describe("a hole for an address", () => {
  it("a hole for an address accepts an address and escapes its text", () => {
    expect(render(html`<a href="${to("/o/a", { q: "\"&<" })}"></a>`)).toBe("<a href=\"/o/a?q=%22%26%3C\"></a>")
    expect(render(html`<a href='${to("/o/a", { a: 1, b: 2 })}'></a>`)).toBe("<a href='/o/a?a=1&amp;b=2'></a>")
  })
  it.each([["/x"], ["javascript:alert(1)"], [1], [null], [{ href: "/x" }], [{ href: "/x", checked: true }]])(
    "a hole for an address refuses %j",
    (value) => expect(() => html`<a href="${wrong<Address>(value)}"></a>`).toThrow(TypeError)
  )
  it("a hole for an address must be the complete value of the attribute", () => {
    expect(() => html`<a href="/x${to("/y")}"></a>`).toThrow("whole address")
    expect(() => html`<a href="${to("/y")}#z"></a>`).toThrow("whole address")
  })
  it.each(["src", "action", "formaction", "xlink:href", "poster", "HREF"])(
    "the value of the attribute %s is an address",
    (name) => {
      const strings = Object.assign([`<a ${name}="`, `"></a>`], { raw: [] })
      expect(() => html(strings, "/x")).toThrow(TypeError)
      expect(render(html(strings, to("/x")))).toBe(`<a ${name}="/x"></a>`)
    }
  )
})

describe("a hole inside a tag", () => {
  it("a hole inside a tag accepts attributes: true is written without a value, empty values are omitted", () => {
    const given = attributes({ id: "a\"", disabled: true, hidden: false, title: null, max: 3, "aria-label": "<" })
    expect(render(html`<p${given}></p>`)).toBe("<p id=\"a&quot;\" disabled max=\"3\" aria-label=\"&lt;\"></p>")
  })
  it.each([["x"], [1], [null], [{ id: "x" }]])("a hole inside a tag refuses %j", (value) => {
    expect(() => html`<p${wrong<Html>(value)}></p>`).toThrow(TypeError)
  })
  it.each(["onclick", "style", "srcdoc", "href", "src", "fill", "a b", "A", "x=", "xlink:href", ""])(
    "a hole inside a tag cannot contain the attribute %j",
    (name) => expect(() => attributes({ [name]: "x" })).toThrow(TypeError)
  )
})

/** Templates with a hole at `|`, each with a part of its error message. */
const refused = [
  ["<p class=|></p>", "quotes"],
  ["<p class=a|></p>", "quotes"],
  ["<p class= \"|\"></p>", "quotes"],
  ["<p |=\"x\"></p>", "name"],
  ["<p a|=\"x\"></p>", "name"],
  ["<|p></p>", "begins no tag"],
  ["<!-- | -->", "begins no tag"],
  ["a < |", "begins no tag"],
  ["<p onclick=\"|\"></p>", "onclick"],
  ["<p ONCLICK=\"|\"></p>", "onclick"],
  ["<p style=\"|\"></p>", "style"],
  ["<p srcdoc=\"|\"></p>", "srcdoc"],
  ["<rect fill=\"|\"></rect>", "fill"],
  ["<meta content=\"|\">", "<meta>"],
  ["<script>|</script>", "<script>"],
  ["<script>x</script>|", "<script>"],
  ["<style>|</style>", "<style>"],
  ["<SCRIPT>|</SCRIPT>", "<script>"],
  ["<script/>|", "<script>"],
  ["<iframe title=\"|\"></iframe>", "<iframe>"],
  ["<base target=\"|\">", "<base>"],
  ["<set to=\"|\"></set>", "<set>"],
  ["<p title=\"|", "does not end"],
  ["<p title=\"x\" \"|\"></p>", "inside a tag"],
  ["<p =\"|\"></p>", "needs a name"]
] as const

describe("a template", () => {
  it.each(refused)("the template %j is refused whatever the value", (template, why) => {
    const strings = Object.assign(template.split("|"), { raw: [] })
    for (const value of ["x", null, to("/x"), attributes({}), html`<b></b>`]) {
      expect(() => html(strings, value)).toThrow(SyntaxError)
      expect(() => html(strings, value)).toThrow(why)
    }
  })
})

describe("an address", () => {
  it("an address omits parameters without a value", () => {
    expect(to("/o/a", { a: "", b: null, c: undefined, d: 0 }).href).toBe("/o/a?d=0")
    expect(to("/o/a", { a: "" }).href).toBe("/o/a")
  })
  it.each(["//host/x", "/\\host/x", "/a\\b", "/\thost", "/a b", "/a\n"])(
    "%j is refused as a path of this site",
    (path) => {
      expect(() => to(path as "/")).toThrow(TypeError)
    }
  )
  it.each([
    "javascript:alert(1)",
    " javascript:alert(1)",
    "java\nscript:alert(1)",
    "data:text/html,x",
    "vbscript:x",
    "file:///etc/passwd",
    "//example.org",
    "/x",
    "",
    "https://user:secret@example.org/"
  ])("%j is refused as an address of another site", (text) => expect(externalAddress(text)).toBe(null))
  it("an address of another site must be http or https", () => {
    expect(externalAddress("https://example.org/a?b=\"<")?.href).toBe("https://example.org/a?b=%22%3C")
    expect(externalAddress("HTTP://EXAMPLE.org")?.href).toBe("http://example.org/")
  })
})
