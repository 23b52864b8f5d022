/** Which addresses webhooks may reach. */
import { Result } from "effect"
import { expect, it } from "vitest"
import { makeEgress, parseCidrs } from "../../packages/core/src/adapters/outbound/webhooks/egress.ts"
import { publicAddresses, specialAddresses } from "./addresses.ts"

const strict = makeEgress({ allow: [], http: false })
const cidrs = (text: string) => Result.getOrThrow(parseCidrs(text))

it("all 51 addresses that are not public are blocked, and all 8 public addresses are allowed", () => {
  expect([specialAddresses.length, publicAddresses.length]).toEqual([51, 8])
  expect(specialAddresses.filter((address) => strict.denial(address, 443) === null)).toEqual([])
  expect(publicAddresses.filter((address) => strict.denial(address, 443) !== null)).toEqual([])
})

it("a blocked address is reported with the setting that would allow it", () => {
  expect(strict.denial("10.1.2.3", 443)).toBe(
    "10.1.2.3 is not a public address; SOV_WEBHOOK_ALLOW_CIDRS can allow its network"
  )
  expect(strict.denial("8.8.8.8", 22)).toContain("port 22")
})

it("exceptions set by the operator are allowed, and nothing else", () => {
  const { denial } = makeEgress({ allow: cidrs("10.1.0.0/16, fd00::/8"), http: false })
  expect(denial("10.1.2.3", 22)).toBeNull()
  expect(denial("::ffff:10.1.2.3", 8080)).toBeNull()
  expect(denial("fd12::1", 443)).toBeNull()
  expect(denial("10.2.0.1", 443)).not.toBeNull()
  expect(denial("fe80::1", 443)).not.toBeNull()
  expect(denial("8.8.8.8", 8080)).not.toBeNull()
  expect(denial("no address", 443)).not.toBeNull()
})

it.each(["10.0.0.0/33", "10.0.0.1", "example.com", "::/129", "10.0.0.0/8;fd00::/8"])(
  "the network %s is refused as an exception",
  (text) => {
    expect(Result.getFailure(parseCidrs(text))).toMatchObject({ _tag: "Some" })
  }
)

it.each([
  "http://hooks.example/x",
  "ftp://hooks.example/x",
  "https://user@hooks.example/",
  "https://user:pw@hooks.example/",
  "https://hooks.example/#x",
  "https://hooks.example:22/",
  "https://127.0.0.1/",
  "https://2130706433/",
  "https://0x7f.1/",
  "https://0177.0.0.1/",
  "https://127.1/",
  "https://[::ffff:7f00:1]/",
  "https://169.254.169.254/latest/meta-data",
  "https://100.100.100.200/",
  "https://[fd00:ec2::254]/",
  "https://[64:ff9b::a9fe:a9fe]/",
  "https:///",
  "hooks.example",
  "",
  `https://hooks.example/${"x".repeat(2_000)}`
])("the endpoint %s is refused when it is added", (url) => {
  expect(strict.refusal(url)).toMatch(/\S/)
})

it.each(["https://hooks.example/x?y=1", "https://hooks.example:8443/", "https://1.1.1.1/", "https://localhost./"])(
  "the endpoint %s is checked only when a connection is made",
  (url) => {
    expect(strict.refusal(url)).toBeNull()
  }
)

it("http and other ports are accepted if the operator allows them", () => {
  const { refusal } = makeEgress({ allow: cidrs("127.0.0.0/8"), http: true })
  expect(refusal("http://127.0.0.1:4690/hook")).toBeNull()
  expect(refusal("http://receiver.internal:9000/hook")).toBeNull()
  expect(refusal("http://[::1]:4690/hook")).not.toBeNull()
})
