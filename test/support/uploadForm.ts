import type { TestBrowser } from "./dashboardServer.ts"

/** Sends a form with one file, as browsers do. */
export const uploadForm = async (
  somebody: TestBrowser,
  path: string,
  field: string,
  file: Uint8Array | string,
  name: string
) => {
  const form = new FormData()
  form.set(field, new File([file as string], name))
  const { body, headers } = new Request("http://x", { method: "POST", body: form })
  const bytes = Buffer.from(await new Response(body).arrayBuffer())
  return somebody.ask(path, {
    method: "POST",
    headers: { "content-type": headers.get("content-type")!, "sec-fetch-site": "same-origin" },
    body: bytes
  })
}
