/**
 * The settings of signing in elsewhere: what is missing or wrong is refused with the line to write, and no secret is
 * shown.
 */
import { parseTrustedProxies } from "@sov/http"
import { Redacted, Result } from "effect"
import { describe, expect, it } from "vitest"
import { readOpenIdSettings, readProxyUserHeader } from "../../packages/cli/src/settings/singleSignOn.ts"

const env = {
  SOV_OIDC_ISSUER: "https://id.acme.example/realms/acme",
  SOV_OIDC_CLIENT_ID: "sov",
  SOV_OIDC_CLIENT_SECRET: "hidden-secret",
  SOV_OIDC_NAME: "Acme SSO"
}
const publicUrl = "https://sov.acme.example"
const fault = (changes: Readonly<Record<string, string | undefined>>, url: string | undefined = publicUrl) => {
  const { hint, message } = Result.getOrThrow(Result.flip(readOpenIdSettings({ ...env, ...changes }, url)))
  expect(`${message} ${hint}`).not.toContain("hidden-secret")
  return { message, hint }
}

describe("an issuer", () => {
  it("an issuer is read from its settings", () => {
    const found = Result.getOrThrow(readOpenIdSettings(env, publicUrl))!
    expect(found).toMatchObject({ issuer: env.SOV_OIDC_ISSUER, clientId: "sov", name: "Acme SSO" })
    expect(Redacted.value(found.clientSecret)).toBe("hidden-secret")
    expect(JSON.stringify(found)).not.toContain("hidden-secret")
  })
  it("without settings, or with empty ones, no issuer is configured", () => {
    const empty = Object.fromEntries(Object.keys(env).map((name) => [name, ""]))
    for (const none of [{}, empty]) expect(Result.getOrThrow(readOpenIdSettings(none, undefined))).toBe(null)
  })
  it("an issuer without a name is named by its host", () => {
    expect(Result.getOrThrow(readOpenIdSettings({ ...env, SOV_OIDC_NAME: "" }, publicUrl))!.name).toBe(
      "id.acme.example"
    )
  })
  it.each(["SOV_OIDC_ISSUER", "SOV_OIDC_CLIENT_ID", "SOV_OIDC_CLIENT_SECRET"])(
    "an issuer is refused without %s",
    (name) => {
      expect(fault({ [name]: " " })).toEqual({
        message: `OpenID Connect is half configured: ${name} is not set`,
        hint: expect.stringMatching(new RegExp(`^write ${name}=\\S.* into the environment or \\.env$`))
      })
    }
  )
  it("an issuer with only a name is refused, with the settings that are missing", () => {
    const { hint, message } = Result.getOrThrow(Result.flip(readOpenIdSettings({ SOV_OIDC_NAME: "Acme" }, publicUrl)))
    expect(message).toContain("SOV_OIDC_ISSUER, SOV_OIDC_CLIENT_ID, SOV_OIDC_CLIENT_SECRET are not set")
    expect(hint).toContain("SOV_OIDC_ISSUER=https://")
  })
  it("an issuer is refused without a public address", () => {
    const { hint, message } = Result.getOrThrow(Result.flip(readOpenIdSettings(env, undefined)))
    expect([message, hint]).toEqual([
      expect.stringContaining("needs the public address"),
      "write SOV_PUBLIC_URL=https://sov.acme.example into the environment or .env"
    ])
  })
  it.each([
    "id.acme.example",
    "http://id.acme.example",
    "ftp://id.acme.example",
    "https://me:hidden-secret@id.acme.example",
    "https://id.acme.example/?a=1",
    "https://id.acme.example/#a",
    "https://id.acme.example/.well-known/openid-configuration"
  ])("%s is refused", (issuer) => {
    expect(fault({ SOV_OIDC_ISSUER: issuer })).toEqual({
      message: expect.stringMatching(/^SOV_OIDC_ISSUER /),
      hint: expect.stringContaining("SOV_OIDC_ISSUER=https://id.acme.example")
    })
  })
  it.each(["http://127.0.0.1:8080", "http://localhost:8080/realms/x", "http://[::1]:9"])(
    "the issuer %s is accepted",
    (issuer) => {
      expect(Result.isSuccess(readOpenIdSettings({ ...env, SOV_OIDC_ISSUER: issuer }, publicUrl))).toBe(true)
    }
  )
  it.each(["x".repeat(61), "a\nb"])("an issuer may not be called %j", (name) => {
    expect(fault({ SOV_OIDC_NAME: name }).hint).toContain("SOV_OIDC_NAME=Acme SSO")
  })
})

describe("the header of a proxy", () => {
  const read = (header: string, networks: string) =>
    readProxyUserHeader({ SOV_PROXY_USER_HEADER: header }, Result.getOrThrow(parseTrustedProxies(networks)))

  it("the header is read from the named proxies", () => {
    expect(Result.getOrThrow(read("X-Forwarded-Email", "10.0.0.5/32"))).toBe("X-Forwarded-Email")
    expect(Result.getOrThrow(read("", ""))).toBe(null)
  })
  it.each([
    ["X-Forwarded-Email", "", /counts only from a trusted proxy/, /SOV_TRUSTED_PROXIES=10\.0\.0\.5\/32/],
    ["X-Forwarded-Email", "10.0.0.5/32, 0.0.0.0/0", /names everybody/, /SOV_TRUSTED_PROXIES=10\.0\.0\.5\/32/],
    ["X-Forwarded-Email", "0.0.0.0/1, 128.0.0.0/1", /names everybody/, /SOV_TRUSTED_PROXIES=/],
    ["X-Forwarded-Email", "0.0.0.0/1", /names everybody/, /SOV_TRUSTED_PROXIES=/],
    ["X-Forwarded-Email", "10.0.0.5/32, 2000::/3", /names everybody/, /SOV_TRUSTED_PROXIES=/],
    ["X-Forwarded-Email", "8.0.0.0/7, 20.0.0.0/7, 30.0.0.0/8", /names everybody/, /SOV_TRUSTED_PROXIES=/],
    ["X-Forwarded-Email", "::/0", /names everybody/, /SOV_TRUSTED_PROXIES=/],
    ["X Forwarded", "10.0.0.5/32", /no name of a header/, /SOV_PROXY_USER_HEADER=X-Forwarded-Email/],
    ["X-Email:", "10.0.0.5/32", /no name of a header/, /SOV_PROXY_USER_HEADER=/]
  ])("the header %s from the networks %j is refused", (header, networks, message, hint) => {
    const found = Result.getOrThrow(Result.flip(read(header, networks)))
    expect([found.message, found.hint]).toEqual([expect.stringMatching(message), expect.stringMatching(hint)])
  })
  it("the header is read from all private networks, and a network inside another one counts once", () => {
    const all = "10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16, 100.64.0.0/10, 127.0.0.0/8, fc00::/7, fe80::/10"
    const again = Array.from({ length: 9 }, () => "10.0.0.0/8, 10.0.0.0/9").join()
    expect(Result.isSuccess(read("X-Forwarded-Email", `${all}, ${again}`))).toBe(true)
  })
  it("the network * is refused", () => {
    expect(Result.isFailure(parseTrustedProxies("*"))).toBe(true)
  })
})
