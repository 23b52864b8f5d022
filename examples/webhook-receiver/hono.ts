/** Receives sov's webhooks with Hono. */
import { serve } from "@hono/node-server"
import { Hono } from "hono"
import { receive } from "./receive.ts"

const app = new Hono()
app.post("/sov", async (context) => {
  const body = new Uint8Array(await context.req.arrayBuffer())
  return context.body(null, receive(body, context.req.raw.headers))
})
serve({ fetch: app.fetch, hostname: "127.0.0.1", port: Number(process.env["PORT"] ?? 3000) }, ({ port }) => {
  console.log(`listening on http://127.0.0.1:${port}/sov`)
})
