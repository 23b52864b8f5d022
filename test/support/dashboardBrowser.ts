/** Tabs of people who are signed in to the dashboard. */
import type { OrganizationId, Role } from "@sov/core"
import type { TestBrowser } from "./browser.ts"
import type { TestDashboard } from "./dashboardServer.ts"

/** Opens a tab for a new person with this role in the organization. */
export const openTab = async (
  server: TestDashboard,
  browser: TestBrowser,
  organizationId: OrganizationId,
  { role = "owner", ...options }: Parameters<TestBrowser["open"]>[1] & { readonly role?: Role } = {}
) => {
  const { cookies } = await server.signIn(organizationId, role)
  const tab = await browser.open(server.base, options)
  await tab.page.context().addCookies([...cookies].map(([name, value]) => ({ name, value, url: server.base })))
  return tab
}
