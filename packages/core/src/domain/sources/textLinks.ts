import { urlEnd } from "../measuring/addresses.ts"
import type { Span } from "./Findings.ts"

/** Punctuation after an address, which is not part of it. */
const trailingPunctuation = /[.,;:!?'"’”…]{1,100}$/

const maxImageText = 300

/** Whether `start` is the target of a Markdown image, whose address is not visible. */
const isImage = (text: string, start: number): boolean => {
  if (!text.startsWith("](", start - 2)) return false
  const from = Math.max(0, start - 3 - maxImageText)
  const opening = text.slice(from, start - 2).lastIndexOf("[")
  return opening > 0 && text[from + opening - 1] === "!"
}

const toCodeUnits = (text: string): Uint16Array => {
  const units = new Uint16Array(text.length)
  for (let i = 0; i < text.length; i++) units[i] = text.charCodeAt(i)
  return units
}

/** The web addresses (`http://…`, `https://…`) in a text, in order, without images. */
export function* linksIn(text: string): Generator<Span & { readonly url: string }> {
  const schemes = /https?:\/\//gi
  let units: Uint16Array | undefined
  for (let scheme = schemes.exec(text); scheme !== null; scheme = schemes.exec(text)) {
    units ??= toCodeUnits(text)
    const start = scheme.index
    const host = start + scheme[0].length
    const end = urlEnd(units, host, text.length)
    schemes.lastIndex = Math.max(end, host)
    if (isImage(text, start)) continue
    const url = text.slice(start, end).replace(trailingPunctuation, "")
    yield { url, start, end: start + url.length }
  }
}
