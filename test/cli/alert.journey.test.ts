// Only in `npm run test:all`: some twenty processes, one after the other
/** sov alert at the terminal: rules, recipients, the test e-mail, and what it says when something is missing. */
import { expect, it } from "vitest"
import { refuse, startMailServer } from "../support/MailServer.ts"
import { sov, sovInit, sovJson, workspace } from "../support/sov.ts"

it("rules can be enabled, disabled and listed, and recipients can be set, tested and refused", async () => {
  const server = await startMailServer({
    onRcptTo: ({ address }, _, done) => done(address.startsWith("bad") ? refuse(550, "no such user") : null)
  })
  const cwd = workspace()
  const env = { SOV_SMTP_URL: server.url, SOV_MAIL_FROM: "alerts@acme.example" }
  const alert = (...args: ReadonlyArray<string>) => sov(cwd, ["alert", ...args])
  await sovInit(cwd, ["--brand", "Acme", "--keyword", "best anvil?"])

  for (
    const [args, message] of [
      [["enable", "sov_drop"], /needs a threshold.*for example 40/],
      [["enable", "sov_drop", "--threshold", "101"], /above 0, at most 100/],
      [["set", "--email", "a@b.example\r\nBcc: c@d.example"], /one bare address/],
      [["test"], /no mail server is configured[^]*SOV_SMTP_URL/]
    ] as const
  ) {
    expect(await alert(...args)).toMatchObject({ code: 2, stdout: "", stderr: expect.stringMatching(message) })
  }

  const enabled = await alert("enable", "sov_drop", "--threshold", "40.5")
  expect(enabled).toMatchObject({ code: 0, stdout: "sov_drop: on, below 40.5, immediate\n" })
  expect(enabled.stderr).toMatch(/Recommended: --sensitivity confirmed.*\nNo e-mail recipients yet: sov alert set/)
  expect(await sovJson(cwd, ["alert", "enable", "sov_drop", "--sensitivity", "confirmed"]))
    .toMatchObject({ threshold: 40.5, sensitivity: "confirmed" })
  await sovJson(cwd, ["alert", "enable", "new_mention"])
  await sovJson(cwd, ["alert", "disable", "new_mention"])
  await sovJson(cwd, ["alert", "set", "--email", "ops@acme.example", "--email", "bad@acme.example"])
  const off = { enabled: false, threshold: null, sensitivity: "immediate", last_alert_at: null }
  expect(await sovJson(cwd, ["alert", "list"])).toEqual({
    rules: [
      {
        rule: "sov_drop",
        event: "sov.dropped",
        enabled: true,
        threshold: 40.5,
        sensitivity: "confirmed",
        last_alert_at: null
      },
      { rule: "new_mention", event: "mention.detected", ...off },
      { rule: "competitor_overtake", event: "competitor.overtake", ...off },
      { rule: "new_competitor", event: "competitor.suggested", ...off },
      { rule: "platform_changed", event: "platform.changed", ...off },
      { rule: "fact_contradicted", event: "fact.contradicted", ...off }
    ],
    emails: [{ email: "bad@acme.example", flagged: null }, { email: "ops@acme.example", flagged: null }]
  })
  expect((await alert("list")).stderr).toMatch(
    /E-mail to bad@acme.example, ops@acme.example\nNo e-mail is sent: SOV_SMTP_URL/
  )

  const tested = await sov(cwd, ["alert", "test"], { env })
  expect(tested.code).toBe(9)
  expect(tested.stdout).toMatch(/^bad@acme\.example\trecipient: .*550 no such user\nops@acme\.example\tsent\n$/)
  expect(server.received).toMatchObject([{
    to: ["ops@acme.example"],
    mail: { subject: expect.stringMatching(/^\[TEST\] Acme: share/) }
  }])
  expect(await alert("log")).toMatchObject({ code: 0, stdout: "", stderr: expect.stringContaining("No alerts yet") })
})
