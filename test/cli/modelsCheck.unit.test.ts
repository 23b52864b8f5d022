/** What the doctor says of the models behind the platforms. */
import { describe, expect, it } from "vitest"
import { diagnoseModels, type KnownModel } from "../../packages/cli/src/commands/doctor/checks/models.ts"

const now = new Date("2026-11-24T12:00:00Z")
const model = (endsOn: string | null, prices: KnownModel["prices"] = {}): KnownModel => ({
  id: "assistant_a",
  label: "ChatGPT",
  endsOn,
  prices
})
const fine = { status: "ok", message: "no end is announced, and the same models answer" }

describe("the check of models", () => {
  it.each([
    ["2026-12-24", "ChatGPT (assistant_a): its model ends on 2026-12-24"],
    ["2026-11-24", "ChatGPT (assistant_a): its model ends on 2026-11-24"],
    ["2026-11-23", "ChatGPT (assistant_a): its model ended on 2026-11-23"]
  ])("the check warns of the end on %s", (day, message) => {
    expect(diagnoseModels([model(day)], [], now)).toEqual({
      status: "warn",
      message,
      fix: "set platforms.assistant_a.model to its successor; docs/platforms.md has present names"
    })
  })

  it("the check does not warn of an end in 31 days or of prices that are valid today", () => {
    expect(diagnoseModels([model("2026-12-25")], [], now)).toEqual(fine)
    expect(diagnoseModels([model(null, { from: "2026-11-24", until: "2026-11-24" })], [], now)).toEqual(fine)
  })

  it.each([
    [{ until: "2026-11-23" }, "held until 2026-11-23"],
    [{ from: "2026-11-25" }, "hold from 2026-11-25"]
  ])("the check warns of prices that are not valid today: %j", (prices, what) => {
    expect(diagnoseModels([model(null, prices)], [], now)).toMatchObject({
      status: "warn",
      message: `ChatGPT (assistant_a): its prices ${what}`,
      fix: expect.stringContaining("platforms.assistant_a.prices")
    })
  })

  it("the check names every end, every price list and every change", () => {
    const change = {
      organization: "acme",
      scan_id: "s1",
      platform: "assistant_a" as const,
      reason: "model" as const,
      before: "A",
      after: "B"
    }
    expect(diagnoseModels([model("2026-11-30", { until: "2026-11-01" })], [change], now)).toMatchObject({
      status: "warn",
      message:
        "ChatGPT (assistant_a): its model ends on 2026-11-30; ChatGPT (assistant_a): its prices held until 2026-11-01; " +
        "assistant_a: model changed from A to B in scan s1 of acme"
    })
  })
})
