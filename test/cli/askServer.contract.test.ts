/**
 * What sov dashboard asks before it sends anybody to a server: only one that has the database can answer, and none
 * learns the link.
 */
import { makeLinkQuestion, openDashboard as makeLink, signInWithLink } from "@sov/core"
import { seedOrganization } from "@sov/core/testing"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest"
import { askServer } from "../../packages/cli/src/commands/dashboard/askServer.ts"
import { openDashboard, type TestDashboard } from "../support/dashboardServer.ts"
import { oneHome } from "../support/homes.ts"
import { browser } from "../support/signIn.ts"

let server: TestDashboard
beforeAll(async () => {
  server = await openDashboard(oneHome[0]!)
  await server.run(seedOrganization())
})
afterAll(() => server.close())

/** A link of the command, and the question about it. */
const prepare = async () => {
  const { token } = await server.run(makeLink("Ada"))
  return { token, question: await server.run(makeLinkQuestion(token)) }
}
const ask = async (origin: string) => server.run(askServer(origin, (await prepare()).question))

/** Another program that listens where the server is expected; `heard` is all that it gets. */
const listenAs = async (answer: (request: IncomingMessage, response: ServerResponse) => void) => {
  const heard: Array<string> = []
  const other = createServer((request, response) => {
    heard.push(request.method!, request.url!, ...request.rawHeaders)
    answer(request, response)
  })
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve))
  onTestFinished(() => new Promise((resolve) => void other.close(() => resolve())))
  return { heard, origin: `http://127.0.0.1:${(other.address() as AddressInfo).port}` }
}

it("a server with the database proves that it knows the link, and the link still works", async () => {
  const { question, token } = await prepare()
  expect(await server.run(askServer(server.base, question))).toBe("known")
  expect(await server.run(askServer(server.base, question))).toBe("known")
  await server.run(signInWithLink(token, browser))
  expect(await server.run(askServer(server.base, question))).toBe("unknown")
})

it("a server with another database says that it does not know the link", async () => {
  const other = await openDashboard(oneHome[0]!)
  expect(await ask(other.base)).toBe("unknown")
  await other.close()
})

it("another program on the port learns nothing that it could sign in with, and is not trusted", async () => {
  const { heard, origin } = await listenAs((request, response) => response.end(request.url!.slice(-64)))
  const { question, token } = await prepare()
  expect(await server.run(askServer(origin, question))).toBe("other")
  expect(heard).toContain(question.path)
  expect(heard.join("\n")).not.toContain(token)
  for (const path of [question.path, question.path.replace("/login/check/", "/login/link/").replace(/\?.*/, "")]) {
    expect((await server.ask(path, { method: "POST", headers: { origin: server.base } })).headers["set-cookie"]).toBe(
      undefined
    )
  }
})

it("a recorded answer proves nothing if it is replayed for another question", async () => {
  const { question, token } = await prepare()
  const { origin } = await listenAs((_, response) => response.end(question.answer))
  expect(await server.run(askServer(origin, question))).toBe("known")
  expect(await server.run(askServer(origin, await server.run(makeLinkQuestion(token))))).toBe("other")
})

it.each([
  ["a redirect", (response: ServerResponse) => response.writeHead(302, { location: server.base }).end()],
  ["404", (response: ServerResponse) => response.writeHead(404).end()],
  ["more than an answer has", (response: ServerResponse) => response.end("x".repeat(100_000))]
])("%s is not accepted as the answer of a dashboard", async (_, respond) => {
  const { origin } = await listenAs((__, response) => respond(response))
  expect(await ask(origin)).toBe("other")
})

it("a closed port gives no answer", async () => {
  expect(await ask("http://127.0.0.1:1")).toBe("silent")
})

it("a malformed question is refused like an unknown link", async () => {
  const { question } = await prepare()
  for (const path of ["/login/check/x?challenge=x", question.path.split("?")[0]!, `${question.path}0`]) {
    expect((await server.ask(path)).status, path).toBe(410)
  }
})
