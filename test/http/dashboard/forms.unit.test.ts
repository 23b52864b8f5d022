/** Form fields: each error is next to its field, typed text is kept, and all of it is shown as text. */
import { AuditEntryId } from "@sov/core"
import { Effect } from "effect"
import { type DefaultTreeAdapterTypes, parseFragment } from "parse5"
import { describe, expect, it } from "vitest"
import { isAsSeen, readFormId, readText } from "../../../packages/http/src/dashboard/handlers/forms.ts"
import { type Html, render } from "../../../packages/http/src/dashboard/html.ts"
import { html } from "../../../packages/http/src/dashboard/html.ts"
import {
  changedNote,
  choiceField,
  formIdField,
  linesField,
  refusedNote,
  seenField,
  textField
} from "../../../packages/http/src/dashboard/pages/forms.ts"

type Element = DefaultTreeAdapterTypes.Element
const elementsIn = (nodes: ReadonlyArray<DefaultTreeAdapterTypes.ChildNode>): ReadonlyArray<Element> =>
  nodes.flatMap((node) => "tagName" in node ? [node, ...elementsIn(node.childNodes)] : [])
const parsed = (part: Html) => elementsIn(parseFragment(render(part)).childNodes as never)
const valueOf = (element: Element, name: string) => element.attrs.find((one) => one.name === name)?.value

const hostile = `"><script>alert(1)</script>\u202E`

describe.each([
  ["a line", (fault?: string) => textField({ name: "name", label: "Name", value: hostile, fault, hint: hostile })],
  ["lines", (fault?: string) => linesField({ name: "name", label: "Name", value: hostile, fault, hint: hostile })],
  [
    "choices",
    (fault?: string) =>
      choiceField({ type: "checkbox", name: "name", label: "Name", choices: [["a", hostile]], chosen: ["a"], fault })
  ]
])("%s", (_, make) => {
  it("the field is named by its label, and its error describes it", () => {
    const all = parsed(make("It is taken."))
    const field = all.find((one) => valueOf(one, "aria-invalid") === "true")!
    const ids = valueOf(field, "aria-describedby")!.split(" ")
    const described = ids.map((id) => all.find((one) => valueOf(one, "id") === id)!)
    expect(valueOf(described[0]!, "class")).toBe("fault")
    const label = all.find(({ tagName }) => tagName === "label" || tagName === "legend")!
    expect(label.tagName === "legend" || valueOf(label, "for") === valueOf(field, "id")).toBe(true)
  })
  it("the field without an error is not marked, and its text never becomes an element", () => {
    const all = parsed(make())
    expect(all.filter((one) => valueOf(one, "aria-invalid") !== undefined)).toEqual([])
    expect(all.filter(({ tagName }) => tagName === "script")).toEqual([])
  })
})

it("the field keeps what was typed", () => {
  const [input] = parsed(textField({ name: "n", label: "N", value: hostile, fault: undefined })).filter((one) =>
    one.tagName === "input"
  )
  expect(valueOf(input!, "value")).toBe(hostile)
})

it("the notes count the fields to correct, and show the value that somebody else has saved", () => {
  expect(refusedNote({})).toBe(false)
  expect(render(html`${refusedNote({ a: "x" })}`)).toContain("1 field needs correcting")
  expect(render(html`${refusedNote({ a: "x", b: "y" })}`)).toContain("2 fields need correcting")
  expect(render(changedNote("<b>"))).toContain("It is now: &lt;b&gt;.")
})

describe("a hidden field of a form", () => {
  const send = (part: Html) =>
    new URLSearchParams(parsed(part).map((one): [string, string] => [valueOf(one, "name")!, valueOf(one, "value")!]))

  it("the hidden field matches as long as the stored text is the one that the form showed", () => {
    const form = send(seenField("a, b"))
    expect([isAsSeen({ form }, "a, b"), isAsSeen({ form }, "a"), isAsSeen({ form: new URLSearchParams() }, "")])
      .toEqual([true, false, false])
  })
  it("the hidden field contains the form's id, and a form without a valid id is refused", async () => {
    const id = AuditEntryId.make("01900000-0000-7000-8000-000000000000")
    expect(await Effect.runPromise(readFormId({ form: send(formIdField(id)) }))).toBe(id)
    for (const form_id of ["", "x", `${id}\n`, id.toUpperCase().replace("7000", "ABCD")]) {
      const refused = await Effect.runPromise(Effect.flip(readFormId({ form: new URLSearchParams({ form_id }) })))
      expect(refused.status).toBe(400)
    }
  })
  it("the value of a hidden field is read without surrounding space", () => {
    expect(readText({ form: new URLSearchParams({ name: " \t a b\n" }) }, "name")).toBe("a b")
    expect(readText({ form: new URLSearchParams() }, "name")).toBe("")
  })
})
