import { Redacted, Result } from "effect"
import { describe, expect, it } from "vitest"
import { isThisMachine, readConnectionUrl } from "../../packages/core/src/adapters/postgres/connectionUrl.ts"

const canary = "pa55-8f14e45fceea"
const read = (url: string) => readConnectionUrl(Redacted.make(url))
const faultOf = (search: string) =>
  Result.match(read(`postgres://u:${canary}@db.example/sov${search}`), {
    onFailure: (text) => text,
    onSuccess: () => null
  })
const modeOf = (url: string) => Result.getOrThrow(read(url)).tls.mode

describe("a database URL", () => {
  it("a database URL is read with its parameters, which override its other parts", () => {
    const settings = Result.getOrThrow(
      read(
        "postgres://u%40x:p%3Fw@[2001:db8::1]:6432/a%2Fb?application_name=nightly&connect_timeout=3&options=-cjit=off"
      )
    )
    expect({ ...settings, password: Redacted.value(settings.password!) }).toEqual({
      host: "2001:db8::1",
      port: 6432,
      database: "a/b",
      username: "u@x",
      password: "p?w",
      applicationName: "nightly",
      options: "-cjit=off",
      connectTimeout: 3,
      tls: { mode: "verify-full", rootCert: null, cert: null, key: null }
    })
    const other = Result.getOrThrow(read("postgresql://a/b?host=/run/postgresql&port=5433&user=me&dbname=c&password=s"))
    expect(other).toMatchObject({ host: "/run/postgresql", port: 5433, username: "me", database: "c" })
  })

  it.each([
    ["postgres://localhost/sov", "disable"],
    ["postgres://LOCALHOST/sov", "disable"],
    ["postgres://127.0.0.1/sov", "disable"],
    ["postgres://127.1.2.3/sov", "disable"],
    ["postgres://[::1]/sov", "disable"],
    ["postgres:///sov", "disable"],
    ["postgres://%2Frun%2Fpostgresql/sov", "disable"],
    ["postgres:///sov?host=/run/postgresql", "disable"],
    ["postgres:///sov?host=/run/postgresql&sslmode=require", "disable"],
    ["postgres://localhost/sov?sslmode=verify-full", "verify-full"],
    ["postgres://localhost/sov?sslrootcert=/ca.pem", "verify-full"],
    ["postgres://localhost/sov?host=db.example", "verify-full"],
    ["postgres://db.example/sov", "verify-full"],
    ["postgres://localhost.example/sov", "verify-full"],
    ["postgres://127.0.0.1.example/sov", "verify-full"],
    ["postgres://127.1/sov", "verify-full"],
    ["postgres://10.0.0.1/sov", "verify-full"],
    ["postgres://[::ffff:10.0.0.1]/sov", "verify-full"],
    ["postgres://db.example/sov?sslmode=require", "require"],
    ["postgres://db.example/sov?sslmode=require&sslrootcert=/ca.pem", "verify-ca"],
    ["postgres://db.example/sov?sslmode=disable", "disable"],
    ["postgres://db.example/sov?channel_binding=prefer", "verify-full"]
  ])("the URL %s has the TLS mode %s", (url, mode) => {
    expect(modeOf(url)).toBe(mode)
  })

  it.each([
    ["?ssl=true", "a parameter \"ssl\""],
    ["?sslMode=require", "\"sslMode\" of the database URL is written \"sslmode\""],
    ["?SSLMODE=disable", "is written \"sslmode\""],
    ["?sslmode=Require", "not \"Require\""],
    ["?sslmode=", "sslmode is disable, require"],
    ["?sslmode=require&sslmode=disable", "\"sslmode\" twice"],
    ["?sslmode=prefer", "sslmode=prefer would give the password"],
    ["?sslmode=allow", "sslmode=allow would give the password"],
    ["?sslmode=verify-ca", "needs sslrootcert"],
    ["?sslmode=require&sslrootcert=system", "goes with sslmode=verify-full only"],
    ["?sslmode=disable&sslrootcert=/ca.pem", "uses no certificates"],
    ["?sslcert=/client.pem", "together or not at all"],
    ["?channel_binding=require", "cannot bind"],
    ["?channel_binding=yes", "not \"yes\""],
    ["?schema=public", "a parameter \"schema\""],
    ["?connect_timeout=soon", "a number of seconds"],
    ["?port=0", "from 1 to 65535"],
    ["?host=a,b", "several hosts"],
    ["?user=%zz", null]
  ])("a URL with %s is refused by name", (search, said) => {
    if (said === null) expect(faultOf(search)).toBeNull()
    else expect(faultOf(search)).toContain(said)
    expect(faultOf(search) ?? "").not.toContain(canary)
  })

  it("an error reveals no part of a password with an unescaped question mark", () => {
    const said = Result.match(read(`postgres://u:1234?${canary}=x@db.example/sov`), {
      onFailure: (text) => text,
      onSuccess: () => ""
    })
    expect(said).toContain("database URL")
    expect(said).not.toContain(canary)
  })

  it("a % that does not start an escape is refused", () => {
    expect(Result.isFailure(read("postgres://u:p%zz@db.example/sov"))).toBe(true)
  })
})

describe("this machine", () => {
  it.each(["0.0.0.0", "127.evil.example", "localhost.", "::", "::ffff:127.0.0.1", ""])(
    "the host %j does not count as this machine",
    (host) => {
      expect(isThisMachine(host)).toBe(false)
    }
  )
})
