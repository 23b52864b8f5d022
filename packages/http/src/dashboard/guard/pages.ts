/** Sends the replies of pages, with their headers and compression, and limits the lifetime of streams. */
import type { CsvSeparator } from "@sov/core/common"
import { Duration, Effect, Stream } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { gzipSync } from "node:zlib"
import type { Asset } from "../assets.ts"
import { type Html, render, renderAround } from "../html.ts"
import type { PageEvent, PageReply } from "./Reply.ts"
import type { PackedDocument } from "./sharedReports.ts"

const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'"
].join("; ")

/** Headers of every page, including error pages. */
const pageHeaders = {
  "content-security-policy": contentSecurityPolicy,
  // With no-referrer, Chromium sends "Origin: null" with forms, which would look like another site
  "referrer-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=()",
  "cache-control": "private, no-store"
}

/** A document contains its own style, and its policy allows exactly that style. Its address is a secret. */
const documentHeaders = {
  ...pageHeaders,
  "content-security-policy":
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
  "x-robots-tag": "noindex, nofollow, noarchive"
}

const htmlType = "text/html; charset=utf-8"

/** Whether the client accepts a content coding; `gzip;q=0` refuses it. */
const accepts = (acceptEncoding: string | undefined, coding: string): boolean =>
  (acceptEncoding ?? "").split(",").some((one) => {
    const [name, ...parameters] = one.trim().toLowerCase().split(/\s*;\s*/)
    return name === coding && !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter))
  })

/** A page with its headers, not compressed. */
export const respondHtml = (html: Html, status: number): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(render(html), { status, contentType: htmlType, headers: pageHeaders })

/**
 * For pages whose address is a secret: requests send only the origin as referrer, because proxies may log the referrer.
 */
export const originOnlyReferrer = { "referrer-policy": "strict-origin" }

const respondText = (
  text: string | Uint8Array,
  options: {
    readonly status: number
    readonly contentType: string
    readonly headers: Readonly<Record<string, string>>
  },
  acceptEncoding: string | undefined
) => {
  const bytes = typeof text === "string" ? Buffer.from(text) : text
  const headers = { ...options.headers, vary: "accept-encoding" }
  return accepts(acceptEncoding, "gzip")
    ? HttpServerResponse.uint8Array(gzipSync(bytes, { level: 6 }), {
      ...options,
      headers: { ...headers, "content-encoding": "gzip" }
    })
    : HttpServerResponse.uint8Array(bytes, { ...options, headers })
}

/** Responds with a document in its compressed form, if the client accepts that. */
const respondPacked = (
  { bytes, gzip }: PackedDocument,
  options: { readonly contentType: string; readonly headers: Readonly<Record<string, string>> },
  acceptEncoding: string | undefined
) => {
  const headers = { ...options.headers, vary: "accept-encoding" }
  return accepts(acceptEncoding, "gzip")
    ? HttpServerResponse.uint8Array(gzip, { ...options, headers: { ...headers, "content-encoding": "gzip" } })
    : HttpServerResponse.uint8Array(bytes, { ...options, headers })
}

/** A file name for the Content-Disposition header, limited to characters that all browsers read the same way. */
const dispositionOf = (name: string): string => `attachment; filename="${name.replace(/[^\w.-]+/g, "-")}"`

const fileHeaders = (name: string) => ({
  ...pageHeaders,
  "content-security-policy": "sandbox; default-src 'none'",
  "content-disposition": dispositionOf(name)
})

/** Maximum lifetime of an event stream. After it, the browser reconnects and its access is checked again. */
const maxEventStream = Duration.seconds(60)

const formatEvent = ({ data, name }: PageEvent): string => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`

/** The response to a request. `stopping` completes when the server begins to stop, and ends streams. */
export const respondWith = Effect.fnUntraced(function*<R>(
  reply: PageReply<R>,
  stopping: Effect.Effect<void>,
  separator: CsvSeparator = "comma"
) {
  const request = yield* HttpServerRequest.HttpServerRequest
  const acceptEncoding = request.headers["accept-encoding"]
  switch (reply._tag) {
    case "Page": {
      if (reply.late !== null) {
        const [head, tail] = renderAround(reply.html)
        const context = yield* Effect.context<R>()
        const rest = Effect.map(reply.late, (part) => render(part) + tail)
        // A client that disconnects interrupts the late part of the page
        return HttpServerResponse.stream(
          Stream.concat(Stream.make(head), Stream.fromEffect(rest)).pipe(
            Stream.interruptWhen(stopping),
            Stream.encodeText,
            Stream.provideContext(context)
          ),
          { status: reply.status, contentType: htmlType, headers: { ...pageHeaders, "x-accel-buffering": "no" } }
        )
      }
      return reply.secret
        ? HttpServerResponse.setHeaders(respondHtml(reply.html, reply.status), originOnlyReferrer)
        : respondText(
          render(reply.html),
          { status: reply.status, contentType: htmlType, headers: pageHeaders },
          acceptEncoding
        )
    }
    case "SeeOther":
      return HttpServerResponse.empty({ status: 303, headers: { ...pageHeaders, location: reply.address.href } })
    case "File":
    case "Csv": {
      const { body, contentType, name } = reply._tag === "File"
        ? reply
        : { body: reply.write(separator), contentType: "text/csv; charset=utf-8", name: reply.name }
      if (typeof body === "string") {
        return respondText(body, { status: 200, contentType, headers: fileHeaders(name) }, acceptEncoding)
      }
      if (body instanceof Uint8Array) {
        return HttpServerResponse.uint8Array(body, { contentType, headers: fileHeaders(name) })
      }
      const context = yield* Effect.context<R>()
      return HttpServerResponse.stream(
        body.pipe(Stream.interruptWhen(stopping), Stream.provideContext(context)),
        { contentType, headers: fileHeaders(name) }
      )
    }
    case "Document":
      return respondPacked(reply.document, { contentType: htmlType, headers: documentHeaders }, acceptEncoding)
    case "Events": {
      const context = yield* Effect.context<R>()
      return HttpServerResponse.stream(
        reply.events.pipe(
          Stream.map(formatEvent),
          Stream.interruptWhen(Effect.raceFirst(stopping, Effect.sleep(maxEventStream))),
          Stream.encodeText,
          Stream.provideContext(context)
        ),
        { contentType: "text/event-stream", headers: { ...pageHeaders, "x-accel-buffering": "no" } }
      )
    }
  }
})

/** Responds with an asset of the pages. */
export const respondAsset = (asset: Asset) =>
  Effect.map(HttpServerRequest.HttpServerRequest, (request) => {
    const acceptEncoding = request.headers["accept-encoding"]
    const coding = accepts(acceptEncoding, "br") ? "br" : accepts(acceptEncoding, "gzip") ? "gzip" : null
    const bytes = coding === "br" ? asset.brotli : coding === "gzip" ? asset.gzip : asset.bytes
    return HttpServerResponse.uint8Array(bytes, {
      contentType: asset.contentType,
      headers: {
        "cache-control": "public, max-age=31536000, immutable",
        "cross-origin-resource-policy": "same-origin",
        vary: "accept-encoding",
        ...coding === null ? {} : { "content-encoding": coding }
      }
    })
  })
