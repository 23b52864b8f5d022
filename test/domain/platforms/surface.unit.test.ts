import { describeSurface } from "@sov/core"
import { describe, expect, it } from "vitest"

const api = { simulated: false, surface: "api" } as const
const germany = { name: "germany", country: "DE", language: "de", context: null }
const origin = (search: "off" | "offered" | null, market?: object | null) => ({
  search,
  ...market === undefined ? {} : { sent: JSON.stringify(market) }
})
const none = { country: null, language: null }

describe("the surface line", () => {
  it.each([
    ["API answers, no market", api, undefined],
    ["API answers, web search on, no market", api, [origin("offered", null)]],
    ["API answers, web search off, no market", api, [origin("off", none)]],
    ["API answers, web search differs by platform, no market", api, [origin("off", null), origin("offered", null)]],
    ["API answers, web search on, market not recorded", { simulated: false }, [origin("offered")]],
    ["API answers, Germany/German", api, [origin(null, { country: "DE", language: "de" })]],
    ["API answers, Germany", api, [origin(null, { country: "DE", language: "not expressible" })]],
    [
      "API answers, market differs by platform",
      api,
      [origin(null, { country: "DE", language: null }), origin(null, { country: "AT", language: null })]
    ],
    ["API answers, Bavaria", api, [origin(null, { country: "Bavaria", language: null })]],
    [
      "API answers, web search on, Germany/German, view \"germany\"",
      { ...api, view: germany },
      [origin("offered", { country: "DE", language: "de" })]
    ],
    [
      "API answers, web search on, Germany/German where expressible, view \"germany\"",
      { ...api, view: germany },
      [
        origin("offered", { country: "DE", language: "de" }),
        origin("offered", { country: "DE", language: "not expressible" })
      ]
    ],
    [
      "API answers, no market, view \"bakery\" with a persona",
      { ...api, view: { ...germany, ...none, name: "bakery", context: "I run a bakery." } },
      undefined
    ],
    [
      "App answers, captured by people, view \"captured\"",
      { simulated: false, surface: "app" as const, view: { ...germany, ...none, name: "captured" } },
      [origin(null, null)]
    ],
    ["Simulated answers, web search on, no market", { simulated: true }, [origin("offered")]]
  ])("the surface is described as: %s", (line, scan, origins) => {
    expect(describeSurface(scan, origins)).toBe(line)
  })
})
