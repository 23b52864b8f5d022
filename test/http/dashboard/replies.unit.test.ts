/** Replies of pages, as they are sent. */
import { Effect, Stream } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { describe, expect, it } from "vitest"
import { to } from "../../../packages/http/src/dashboard/Address.ts"
import { respondWith } from "../../../packages/http/src/dashboard/guard/pages.ts"
import {
  type PageReply,
  seeOther,
  sendCsv,
  sendFile,
  showPage
} from "../../../packages/http/src/dashboard/guard/Reply.ts"
import { html } from "../../../packages/http/src/dashboard/html.ts"

const sent = (reply: PageReply, acceptEncoding = "gzip, br") => {
  const request = HttpServerRequest.fromWeb(
    new Request("http://sov.example/", { headers: { "accept-encoding": acceptEncoding } })
  )
  return Effect.runPromise(
    respondWith(reply, Effect.never).pipe(
      Effect.provideService(HttpServerRequest.HttpServerRequest, request),
      Effect.map((response) => HttpServerResponse.toWeb(response))
    )
  )
}

describe("a page", () => {
  it("a page with a secret is not compressed, whatever the browser accepts", async () => {
    const page = html`<p>secret</p>`
    expect((await sent(showPage(page))).headers.get("content-encoding")).toBe("gzip")
    const secret = await sent(showPage(page, { secret: true }))
    expect([secret.headers.get("content-encoding"), await secret.text()]).toEqual([null, "<p>secret</p>"])
  })
  it("the reply to a form is a 303 redirect to an address of this site", async () => {
    const response = await sent(seeOther(to("/o/acme", { done: "x" })))
    expect([response.status, response.headers.get("location")]).toEqual([303, "/o/acme?done=x"])
  })
})

describe("a file", () => {
  it("a file is a download that cannot run scripts or be framed, with a neutral media type", async () => {
    const response = await sent(
      sendFile("payload \"x\".json", "application/octet-stream", new Uint8Array([60, 98, 62]))
    )
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "application/octet-stream",
      "content-disposition": "attachment; filename=\"payload-x-.json\"",
      "content-security-policy": "sandbox; default-src 'none'",
      "cache-control": "private, no-store"
    })
  })
  it("a table is sent as CSV, in which no cell is a formula", async () => {
    const columns = { name: (row: string) => row, length: (row: string) => row.length }
    const response = await sent(sendCsv("names.csv", columns, ["=1+1", "a,\"b\""]), "identity")
    expect(response.headers.get("content-type")).toBe("text/csv; charset=utf-8")
    expect(await response.text()).toBe("name,length\r\n'=1+1,4\r\n\"a,\"\"b\"\"\",5\r\n")
  })
  it("a table with many rows is streamed, with the same bytes", async () => {
    const columns = { n: (row: number) => row }
    const rows = Array.from({ length: 1_000 }, (_, n) => n)
    const [listed, streamed] = await Promise.all([
      sent(sendCsv("n.csv", columns, rows), "identity"),
      sent(sendCsv("n.csv", columns, Stream.fromIterable(rows)), "identity")
    ])
    expect(await streamed.text()).toBe(await listed.text())
  })
})
