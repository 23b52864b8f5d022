/** Event streams: they end when the server stops, and when their reader loses access. */
import { endSession, listSessions, type OrganizationId } from "@sov/core"
import { seedOrganization } from "@sov/core/testing"
import { Effect, Stream } from "effect"
import { afterEach, expect, it } from "vitest"
import { sendEvents } from "../../../packages/http/src/dashboard/guard/Reply.ts"
import { type Route, routes } from "../../../packages/http/src/dashboard/routes.ts"
import { openDashboard, pathOf, type TestDashboard } from "../../support/dashboardServer.ts"
import { oneHome } from "../../support/homes.ts"

/** A page whose events continue until the test is over. */
const running: Route = {
  method: "GET",
  path: "/o/:slug/events",
  least: "viewer",
  handle: () => Effect.succeed(sendEvents(Stream.concat(Stream.make({ name: "progress", data: [1] }), Stream.never)))
}

let server: TestDashboard | undefined
afterEach(async () => {
  await server?.close()
  server = undefined
})

/** Reads the events: collects what has arrived, and resolves when the stream has ended. */
const listen = async (
  dashboard: TestDashboard,
  organizationId: OrganizationId,
  cookies: ReadonlyMap<string, string>
) => {
  const path = await dashboard.run(pathOf(organizationId))
  const response = await fetch(`${dashboard.base}${path}/events`, {
    headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; ") }
  })
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  const first = await reader.read()
  const ended = (async () => {
    while (!(await reader.read()).done);
  })()
  return { response, first: first.value, ended }
}

const open = async () => {
  const table = routes as Array<Route>
  table.push(running)
  try {
    // Longer than any test may take
    return server = await openDashboard(oneHome[0]!, { drain: "1 hour" })
  } finally {
    table.pop()
  }
}

it("an open stream does not delay the stop of the server until its drain time is over", async () => {
  const dashboard = await open()
  const { id } = await dashboard.run(seedOrganization())
  const { cookies } = await dashboard.signIn(id)
  const { ended, first, response } = await listen(dashboard, id, cookies)
  expect(response.headers.get("content-type")).toBe("text/event-stream")
  expect(first).toBe("event: progress\ndata: [1]\n\n")
  await dashboard.close()
  await ended
  server = undefined
})

it("a stream ends soon after the session of its reader", async () => {
  const dashboard = await open()
  const { id } = await dashboard.run(seedOrganization())
  const { cookies, person } = await dashboard.signIn(id)
  const { ended } = await listen(dashboard, id, cookies)
  const [session] = await dashboard.run(listSessions(person.id))
  await dashboard.run(endSession(person.id, session!.id))
  // It never ends on its own
  await ended
})
