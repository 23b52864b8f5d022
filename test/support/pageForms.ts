/** Reads forms from a page, to send them as a browser would. */
import { type DefaultTreeAdapterTypes, parse } from "parse5"

type Element = DefaultTreeAdapterTypes.Element
const elementsIn = (nodes: ReadonlyArray<DefaultTreeAdapterTypes.ChildNode>): ReadonlyArray<Element> =>
  nodes.flatMap((node) => "tagName" in node ? [node, ...elementsIn(node.childNodes)] : [])

const valueOf = ({ attrs }: Element, name: string): string | undefined => attrs.find((one) => one.name === name)?.value

const textOf = ({ childNodes }: Element): string => childNodes.map((node) => "value" in node ? node.value : "").join("")

const fieldValue = (field: Element): string | undefined => {
  switch (field.tagName) {
    case "textarea":
      return textOf(field)
    case "select": {
      const options = elementsIn(field.childNodes).filter(({ tagName }) => tagName === "option")
      const chosen = options.find((one) => valueOf(one, "selected") !== undefined) ?? options[0]
      return chosen === undefined ? undefined : valueOf(chosen, "value") ?? textOf(chosen)
    }
    case "input":
      return ["radio", "checkbox"].includes(valueOf(field, "type") ?? "") && valueOf(field, "checked") === undefined
        ? undefined
        : valueOf(field, "value") ?? ""
    default:
      return undefined
  }
}

/** The fields of the form that posts to `action`, with their values; the selected option of a field comes last. */
export const readForm = (html: string, action: string): Readonly<Record<string, string>> => {
  const form = elementsIn(parse(html).childNodes as ReadonlyArray<DefaultTreeAdapterTypes.ChildNode>)
    .find((one) => one.tagName === "form" && valueOf(one, "method") === "post" && valueOf(one, "action") === action)
  if (form === undefined) throw new Error(`the page has no form to ${action}`)
  return Object.fromEntries(
    elementsIn(form.childNodes).flatMap((field) => {
      const [name, value] = [valueOf(field, "name"), fieldValue(field)]
      return name === undefined || value === undefined ? [] : [[name, value] as const]
    })
  )
}
