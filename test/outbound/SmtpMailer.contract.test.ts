/** E-mails over SMTP to a real server on loopback: what arrives, what is refused, and why an attempt failed. */
import { EmailAddress, type EventId, type MailError, makeSampleEvent, renderAlertMail } from "@sov/core"
import { makeSmtpMailer, readSmtpConfig } from "@sov/core/outbound"
import { Effect, Redacted, Result, Schema } from "effect"
import { createServer } from "node:net"
import type { AddressInfo } from "node:net"
import { getCACertificates, setDefaultCACertificates } from "node:tls"
import { describe, expect, it, onTestFinished } from "vitest"
import { certificate, type MailServerOptions, refuse, startMailServer } from "../support/MailServer.ts"

const id = "01900000-0000-7000-8000-00000000a1e7" as EventId
const at = new Date("2026-01-31T23:59:58.123Z")
const to = EmailAddress.make("ops@acme.example")

const config = (url: string, from = "Acme alerts <alerts@acme.example>") =>
  Result.getOrThrow(readSmtpConfig({ SOV_SMTP_URL: url, SOV_MAIL_FROM: from }))!

const alertOf = (brand: string, rival = "Example Rival", keyword = "best anvil?") => {
  const { data, event } = makeSampleEvent("competitor.overtake", id, at)
  if (event !== "competitor.overtake") throw new Error("another event")
  return renderAlertMail(
    { id, rule: "competitor_overtake", event, createdAt: at, data: { ...data, competitor_name: rival } },
    { organization: `Org of ${brand}`, brand, keywords: new Map([["k" as never, keyword]]), comparedWith: null }
  )
}
const mail = { ...alertOf("Acme"), id, to, createdAt: at }

const send = (url: string, more: Partial<typeof mail> = {}) =>
  Effect.runPromise(Effect.result(makeSmtpMailer(config(url)).send({ ...mail, ...more })))
const reasonOf = async (url: string, recipient: string = to): Promise<MailError["reason"] | "sent"> =>
  Result.match(await send(url, { to: EmailAddress.make(recipient) }), {
    onFailure: ({ reason }) => reason,
    onSuccess: () => "sent" as const
  })

describe("an e-mail", () => {
  it("an e-mail arrives as text and HTML, with the headers of an automatic e-mail", async () => {
    const server = await startMailServer()
    expect(await send(server.url)).toMatchObject({ _tag: "Success" })
    const [received] = server.received
    expect(received).toMatchObject({
      from: "alerts@acme.example",
      to: ["ops@acme.example"],
      mail: {
        from: { name: "Acme alerts", address: "alerts@acme.example" },
        to: [{ address: "ops@acme.example" }],
        subject: "[TEST] Example Rival is ahead of Acme",
        messageId: `<${id}@acme.example>`,
        date: "2026-01-31T23:59:58.000Z"
      }
    })
    const headers = new Map(received!.mail.headers.map(({ key, value }) => [key, value]))
    expect(headers.get("auto-submitted")).toBe("auto-generated")
    expect(headers.get("list-unsubscribe")).toContain("<mailto:alerts@acme.example?subject=unsubscribe>")
    expect(received!.mail.text).toContain("Example Rival now has a larger share of voice than Acme.")
    expect(received!.mail.html).toContain("<td dir=\"auto\"")
    expect(received!.mail.attachments).toEqual([])
  })

  it.each([
    "Nordlicht Digital",
    "Märkte & Co, \"GmbH\"",
    "a\r\nBcc: all@acme.example",
    "x <ceo@bank.example>",
    "名前".repeat(60)
  ])(
    "an e-mail from %j keeps the server's address, and gets no further header or recipient",
    async (sender) => {
      const server = await startMailServer()
      expect(await send(server.url, { sender } as Partial<typeof mail>)).toMatchObject({ _tag: "Success" })
      const [{ from, mail: received, to: recipients }] = server.received as [(typeof server.received)[number]]
      expect([from, recipients]).toEqual(["alerts@acme.example", ["ops@acme.example"]])
      expect(received.from).toEqual({ name: sender.replaceAll(/\s+/g, " "), address: "alerts@acme.example" })
      expect(received.headers.map(({ key }) => key)).not.toContain("bcc")
    }
  )

  it("an unsubscribe link is also in the header, so that mail programs can post to it", async () => {
    const server = await startMailServer()
    const unsubscribeUrl = `https://sov.example/unsubscribe/${"aB_-".repeat(16)}`
    expect(await send(server.url, { unsubscribeUrl } as Partial<typeof mail>)).toMatchObject({ _tag: "Success" })
    const headers = new Map(server.received[0]!.mail.headers.map(({ key, value }) => [key, value]))
    // Required by RFC 8058 §3.1
    expect(headers.get("list-unsubscribe-post")).toBe("List-Unsubscribe=One-Click")
    expect(headers.get("list-unsubscribe")!.replaceAll(/\s/g, ""))
      .toBe(`<${unsubscribeUrl}>,<mailto:alerts@acme.example?subject=unsubscribe>`)
    expect(headers.has("authentication-results")).toBe(false)
  })

  it.each([
    ["markup", "<script>alert(1)</script> & \"Co\" 'x'"],
    ["line breaks", "Acme\r\nBcc: evil@z.example\r\n\r\n<b>body"],
    ["a lone line feed", "Acme\nTo: evil@z.example"],
    ["emoji", "Acme \u{1F6E0}\uFE0F \u{1F469}\u200D\u{1F527}"],
    ["right to left", "\u05D0\u05E7\u05DE\u05D4 \u202Eevil\u202C \u0634\u0631\u0643\u0629"],
    ["controls", "Ac\u0000me\u0007\u001B[31m\u2028x"],
    ["half a character", "Acme \uD83D"],
    ["an address", "Acme <evil@z.example>, evil@z.example"],
    ["encoded words", "=?utf-8?B?QmNjOiBldmls?="],
    ["very long", "A".repeat(5000)]
  ])(
    "an e-mail with hostile names (%s) reaches one recipient, with intact headers and escaped HTML",
    async (_, name) => {
      const server = await startMailServer()
      expect(await send(server.url, alertOf(name, name, name))).toMatchObject({ _tag: "Success" })
      const [received, ...more] = server.received
      expect(more).toEqual([])
      expect(received!.to).toEqual(["ops@acme.example"])
      const { bcc, cc, from, headers, html, subject, text, to: people } = received!.mail
      expect({ bcc, cc, from: from?.address, people: people?.map(({ address }) => address) })
        .toEqual({ bcc: undefined, cc: undefined, from: "alerts@acme.example", people: ["ops@acme.example"] })
      expect(headers.map(({ key }) => key).toSorted()).toEqual([
        "auto-submitted",
        "content-type",
        "date",
        "from",
        "list-unsubscribe",
        "message-id",
        "mime-version",
        "subject",
        "to"
      ])
      expect(subject!.length).toBeLessThanOrEqual(200)
      expect(`${subject}${text}${html}`).not.toMatch(
        /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u202A-\u202E\u2066-\u2069\uFFFD]/
      )
      expect(html).not.toContain("<script")
      expect(
        html!.match(/<[a-z]+/g)!.every((tag) =>
          ["<html", "<head", "<meta", "<title", "<body", "<p", "<table", "<tr", "<td"].includes(tag)
        )
      ).toBe(true)
    }
  )

  it("an e-mail shows markup as it was typed, and emoji and right-to-left names completely", async () => {
    const { html, subject, text } = alertOf("<b>Acme</b> \u{1F6E0}", "\u05D0\u05E7\u05DE\u05D4")
    expect(html).toContain("&lt;b&gt;Acme&lt;/b&gt; \u{1F6E0}")
    expect(text).toContain("<b>Acme</b> \u{1F6E0}")
    expect(alertOf("Acme\r\n\tInc").subject).toBe("[TEST] Example Rival is ahead of Acme Inc")
    expect(subject).toBe("[TEST] \u05D0\u05E7\u05DE\u05D4 is ahead of <b>Acme</b> \u{1F6E0}")
  })
})

describe("a failed attempt", () => {
  const withServer = async (options: MailServerOptions) => reasonOf((await startMailServer(options)).url)

  it.each<[string, MailServerOptions, MailError["reason"]]>([
    ["451 for the recipient", { onRcptTo: (_, __, done) => done(refuse(451, "greylisted")) }, "deferred"],
    ["554 for the message", { answer: () => refuse(554, "spam") }, "refused"],
    ["550 for the message", { answer: () => refuse(550, "5.1.1 no such user") }, "refused"],
    ["451 for the message", { answer: () => refuse(451, "later") }, "deferred"],
    ["550 for the sender", { onMailFrom: (_, __, done) => done(refuse(550, "not yours")) }, "sender"],
    ["554 as a greeting", { onConnect: (_, done) => done(refuse(554, "go away")) }, "unreachable"],
    ["421 as a greeting", { onConnect: (_, done) => done(refuse(421, "busy")) }, "deferred"],
    ["a connection dropped after DATA", { answer: () => "drop" }, "unreachable"],
    ["an expired certificate by STARTTLS", { disabledCommands: [] }, "tls"]
  ])("an attempt that fails with %s reports its reason", async (_, options, reason) => {
    expect(await withServer(options)).toBe(reason)
  })

  it("an unknown mailbox is reported differently from all other refusals of a recipient", async () => {
    const answers: ReadonlyArray<[code: number, text: string, reason: MailError["reason"]]> = [
      [550, "no such user", "recipient"],
      [550, "5.1.1 no such user", "recipient"],
      [550, "5.1.10 null MX", "recipient"],
      [551, "5.1.6 has moved", "recipient"],
      [553, "5.1.3 bad mailbox syntax", "recipient"],
      [553, "mailbox name not allowed", "recipient"],
      [550, "5.7.1 blocked by policy", "refused"],
      [550, "5.7.26 unauthenticated e-mail", "refused"],
      [550, "5.2.2 mailbox full", "refused"],
      [550, "5.4.1 access denied", "refused"],
      [552, "5.3.4 too big", "refused"],
      [552, "over quota", "refused"],
      [554, "5.7.1 relay access denied", "refused"],
      [554, "spam", "refused"],
      [530, "5.7.0 authentication required", "refused"],
      [553, "5.1.8 bad sender's system", "sender"],
      [553, "5.1.7 bad sender's mailbox", "sender"]
    ]
    const { url } = await startMailServer({
      onRcptTo: ({ address }, _, done) => {
        const [code, text] = answers[Number.parseInt(address)]!
        done(refuse(code, text))
      }
    })
    const reasons = answers.map(async ([code, text], n) => [code, text, await reasonOf(url, `${n}@acme.example`)])
    expect(await Promise.all(reasons)).toEqual(answers)
  })

  it("an attempt at a closed port, or at a server that does not speak SMTP, fails", async () => {
    expect(await reasonOf("smtp://127.0.0.1:1")).toBe("unreachable")
    const server = createServer((socket) => socket.on("error", () => {}).end("HTTP/1.1 400 Bad Request\r\n\r\n"))
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    onTestFinished(() => void server.close())
    expect(await reasonOf(`smtp://127.0.0.1:${(server.address() as AddressInfo).port}`)).toBe("unreachable")
  })

  it("the message of a refused login does not contain the password", async () => {
    const server = await startMailServer({
      authOptional: false,
      allowInsecureAuth: true,
      onAuth: ({ password, username }, _, done) => done(refuse(535, `bad ${username} ${password}`))
    })
    const result = await send(server.url.replace("//", "//user:s3cret%2Fpass@"))
    expect(result).toMatchObject({ failure: { reason: "login", message: expect.stringContaining("bad user") } })
    expect(JSON.stringify(result)).not.toContain("s3cret")
  })
})

describe("encryption", () => {
  it("if the certificate is expired or untrusted, nothing is sent", async () => {
    const expired = await startMailServer({ secure: true })
    expect(await reasonOf(expired.url.replace("smtp:", "smtps:"))).toBe("tls")
    const unknown = await startMailServer({ secure: true, ...certificate() })
    expect(await reasonOf(`smtps://localhost:${unknown.port}`)).toBe("tls")
    expect([...expired.received, ...unknown.received]).toEqual([])
  })

  it("a trusted certificate is used: at once, or with STARTTLS if it is offered or required", async () => {
    const own = certificate()
    const before = getCACertificates("default")
    setDefaultCACertificates([...before, own.cert])
    onTestFinished(() => setDefaultCACertificates(before))
    const [first, later] = await Promise.all([
      startMailServer({ secure: true, ...own }),
      startMailServer({ disabledCommands: [], ...own })
    ])
    expect(await reasonOf(`smtps://localhost:${first.port}`)).toBe("sent")
    expect(await reasonOf(`smtp://localhost:${later.port}`)).toBe("sent")
    const required = makeSmtpMailer({ ...config(`smtp://localhost:${later.port}`), tls: "required" })
    await Effect.runPromise(required.send(mail))
    expect([...first.received, ...later.received].map(({ secure }) => secure)).toEqual([true, true, true])
  })

  it("if encryption is required, mail is never sent without it", async () => {
    const plain = await startMailServer()
    const required = makeSmtpMailer({ ...config(plain.url), tls: "required" })
    expect(await Effect.runPromise(Effect.result(required.send(mail)))).toMatchObject({ failure: { reason: "tls" } })
    expect(plain.received).toEqual([])
  })

  it("encryption can be switched off for a server on this machine", async () => {
    const server = await startMailServer({ disabledCommands: [] })
    expect(await reasonOf(`${server.url}?tls=off`)).toBe("sent")
    expect(server.received[0]!.secure).toBe(false)
  })
})

it("an interrupted delivery closes the connection", async () => {
  let closed = false
  const silent = createServer((socket) => socket.on("close", () => closed = true).on("error", () => {}))
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve))
  onTestFinished(() => void silent.close())
  const url = `smtp://127.0.0.1:${(silent.address() as AddressInfo).port}`
  const sent = makeSmtpMailer(config(url)).send(mail)
  expect(await Effect.runPromise(Effect.timeoutOption(sent, "300 millis"))).toMatchObject({ _tag: "None" })
  await expect.poll(() => closed).toBe(true)
})

describe("SOV_SMTP_URL and SOV_MAIL_FROM", () => {
  const from = "alerts@acme.example"
  const read = (url: string, sender = from) => readSmtpConfig({ SOV_SMTP_URL: url, SOV_MAIL_FROM: sender })

  it.each([
    ["smtp://mail.example", { host: "mail.example", port: 587, tls: "required", login: null }],
    ["smtps://mail.example", { port: 465, tls: "always" }],
    ["smtp://mail.example:2525/", { port: 2525, tls: "required" }],
    ["smtp://localhost", { port: 25, tls: "offered" }],
    ["smtp://127.0.0.1:1025", { port: 1025, tls: "offered" }],
    ["smtp://[::1]:1025", { host: "::1", tls: "offered" }],
    ["smtp://127.0.0.1?tls=off", { tls: "never" }],
    // This host only looks like loopback
    ["smtp://127.0.0.1.evil.example", { tls: "required" }],
    ["smtp://localhost.evil.example", { tls: "required" }]
  ])("the URL %s is accepted", (url, expected) => {
    expect(Result.getOrThrow(read(url))).toMatchObject(expected)
  })

  it("user and password are decoded as in any URL", () => {
    const { login } = Result.getOrThrow(read("smtp://us%40er:p%3Aa%2Fss@mail.example"))!
    expect([login?.user, Redacted.value(login!.password)]).toEqual(["us@er", "p:a/ss"])
    expect(JSON.stringify(login)).not.toContain("p:a")
  })

  it("an address is accepted alone or with a name", () => {
    const sender = (text: string) => Result.getOrThrow(read("smtp://localhost", text))!.from
    expect(sender(from)).toEqual({ name: "", address: from })
    expect(sender(`Acme alerts <${from}>`)).toEqual({ name: "Acme alerts", address: from })
    expect(sender(`"Acme, Inc." <${from}>`)).toEqual({ name: "Acme, Inc.", address: from })
  })

  it("no mail server is used unless both settings exist", () => {
    expect(Result.getOrThrow(readSmtpConfig({}))).toBeNull()
    expect(Result.getOrThrow(readSmtpConfig({ SOV_SMTP_URL: "", SOV_MAIL_FROM: "" }))).toBeNull()
  })

  it.each([
    ["s3cret-host", from, /SOV_SMTP_URL/],
    ["http://user:s3cret@mail.example", from, /SOV_SMTP_URL/],
    ["smtp://user:s3cret@mail.example/path", from, /SOV_SMTP_URL/],
    ["smtp://s3cret@mail.example", from, /SOV_SMTP_URL/],
    ["smtp://user:%s3cret@mail.example", from, /SOV_SMTP_URL/],
    ["smtp://user:s3cret@mail.example?tls=off", from, /SOV_SMTP_URL.*this machine/],
    ["smtp://localhost?s3cret=1", from, /SOV_SMTP_URL.*parameter/],
    ["smtp://localhost", "", /SOV_MAIL_FROM/],
    ["smtp://localhost", "s3cret", /SOV_MAIL_FROM/],
    ["smtp://localhost", "a@b.example, s3cret@z.example", /SOV_MAIL_FROM/],
    ["smtp://localhost", "A\r\nBcc: s3cret@z.example <a@b.example>", /SOV_MAIL_FROM/],
    ["", from, /SOV_SMTP_URL/]
  ])("the values %j and %j are refused without being shown", (url, sender, message) => {
    const fault = Result.getOrThrow(Result.flip(read(url, sender)))
    expect(fault.message).toMatch(message)
    expect(`${fault.message} ${fault.hint}`).not.toContain("s3cret")
  })
})

describe("an address", () => {
  const isAddress = Schema.is(EmailAddress)
  it.each([
    "a@b.example",
    "first.last+tag@sub.acme.example",
    "o'neil@acme.example",
    "root@localhost",
    `${"a".repeat(64)}@b.c`
  ])(
    "the address %s is accepted",
    (text) => expect(isAddress(text)).toBe(true)
  )
  it.each([
    "",
    "a",
    "@b.c",
    "a@",
    "a b@c.d",
    "a@b c",
    "a@b..c",
    ".a@b.c",
    "a.@b.c",
    "a@-b.c",
    "a@b.c-",
    "a,b@c.d",
    "a@b.c,d@e.f",
    "<a@b.c>",
    "A <a@b.c>",
    "a@b.c\r\nRCPT TO:<z@z.example>",
    "a@b.c\u0000",
    "\"a b\"@c.d",
    "a@[127.0.0.1]",
    "a;b@c.d",
    "a@b.c ",
    "ä@b.c",
    "a@bü.c",
    `${"a".repeat(65)}@b.c`,
    `a@${"b.".repeat(126)}cc`,
    "a@b@c.d",
    "a\\@b@c.d"
  ])("the text %j is not an address", (text) => expect(isAddress(text)).toBe(false))
})
