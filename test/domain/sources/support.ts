/** Payloads of platforms, written short. */
import { type Citation, deriveSources, type Source } from "@sov/core"

export const bytes = (...bodies: ReadonlyArray<string>) => new TextEncoder().encode(bodies.join("\n"))
export const derive = (adapter: string, text: string, body: unknown, citations: ReadonlyArray<Citation> = []) =>
  deriveSources({ adapter, text, payload: bytes(JSON.stringify(body)), citations })
/** `kind page "the text that it stands behind"`, the site in brackets where no page is known. */
export const short = (text: string) => ({ domain, end, kind, page, start }: Source) =>
  [kind, page?.slice("https://".length) ?? `(${domain})`, ...start === null ? [] : [text.slice(start, end!)]].join(
    " | "
  )

export const openAi = (text: string, annotations: ReadonlyArray<object>, more: ReadonlyArray<object> = []) => ({
  output: [...more, { type: "message", content: [{ type: "output_text", text, annotations }] }]
})
