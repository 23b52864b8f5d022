/** Receives sov's webhooks with Express. */
import express from "express"
import type { AddressInfo } from "node:net"
import { receive } from "./receive.ts"

const app = express()
// Not express.json(): what was signed are the bytes
app.post("/sov", express.raw({ type: "*/*" }), (request, response) => {
  response.status(receive(request.body as Uint8Array, request.headers)).end()
})
const server = app.listen(Number(process.env["PORT"] ?? 3000), "127.0.0.1", () => {
  console.log(`listening on http://127.0.0.1:${(server.address() as AddressInfo).port}/sov`)
})
