// Only with SOV_LONG_TESTS: servers and dozens of runs of the command; http/dashboard/members shows each rule
/** sov member as an owner uses it: invite, list, change the role, remove; the last owner stays. */
import { describe, expect, it } from "vitest"
import { sov, sovInit, sovJson, workspace } from "../support/sov.ts"

interface MemberJson {
  readonly id: string
  readonly name: string
  readonly email: string | null
  readonly role: string
  readonly status: string
  readonly created_at: string
  readonly signed_in_at: string | null
}

describe("sov member", () => {
  it("the command invites, lists, changes and removes members, shows a link once, and keeps the last owner", async () => {
    const cwd = workspace()
    await sovInit(cwd, ["--brand", "Acme", "--keyword", "best anvil?"])
    expect((await sov(cwd, ["member", "list"])).stderr).toContain("sov member invite")
    const ann = await sov(cwd, ["member", "invite", "ann@acme.example", "--role", "owner", "--name", "Ann"])
    expect(ann.stdout).toMatch(/^http:\/\/127\.0\.0\.1:4680\/login\/link\/[\w-]{43}\n$/)
    expect(ann.stderr).toContain("only time the link is shown")
    const publicUrl = ["--public-url", "https://sov.acme.example"]
    const ben = await sovJson<MemberJson & { url: string }>(cwd, ["member", "invite", "ben@acme.example", ...publicUrl])
    expect(ben).toMatchObject({
      name: "ben",
      role: "viewer",
      added: true,
      mailed: false,
      expires_at: expect.any(String)
    })
    expect(ben.url).toMatch(/^https:\/\/sov\.acme\.example\/login\/link\/[\w-]{43}$/)
    const again = await sovJson<MemberJson>(cwd, ["member", "invite", "BEN@acme.example", "--role", "owner"])
    expect(again).toMatchObject({ id: ben.id, role: "viewer", added: false })

    const listed = await sovJson<ReadonlyArray<MemberJson>>(cwd, ["member", "list"])
    expect(listed).toEqual([
      expect.objectContaining({ name: "Ann", email: "ann@acme.example", role: "owner", status: "invited" }),
      expect.objectContaining({ id: ben.id, email: "ben@acme.example", role: "viewer", signed_in_at: null })
    ])
    expect(JSON.stringify(listed)).not.toContain(ben.url.slice(-43))

    expect((await sov(cwd, ["member", "role", "Ann", "viewer"])).stderr).toContain("would have no owner left")
    expect((await sov(cwd, ["member", "remove", "Ann", "--yes"])).code).toBe(8)
    expect(await sovJson(cwd, ["member", "role", "ben@acme.example", "owner"]))
      .toMatchObject({ id: ben.id, role: "owner", before: "viewer" })
    expect((await sov(cwd, ["member", "role", "Ann", "viewer"])).stdout).toContain("Ann is viewer now, was owner.")
    expect((await sov(cwd, ["member", "remove", ben.id, "--no-input"])).code).toBe(2)
    expect((await sov(cwd, ["member", "remove", "nobody", "--yes"])).stderr).toContain("sov member list")
    for (
      const wrong of [["invite", "no address"], ["invite", "a@b.example", "--role", "king"], ["role", "Ann", "king"]]
    ) {
      expect((await sov(cwd, ["member", ...wrong])).code, wrong.join(" ")).toBe(2)
    }
    expect((await sov(cwd, ["member", "remove", "Ann", "--yes"])).code).toBe(0)
    const actions = (await sovJson<{ data: ReadonlyArray<{ action: string }> }>(cwd, ["audit", "list"])).data
    expect(actions.map(({ action }) => action).filter((action) => action.startsWith("member."))).toEqual([
      "member.removed",
      "member.role_changed",
      "member.role_changed",
      "member.invited",
      "member.invited",
      "member.invited"
    ])
  })
})
