/** What is wrong with a tracked set is said of the file that has it, or of the options. */
import { expect, it } from "vitest"
import { decodeTracking, readTrackingOptions } from "../../packages/cli/src/input/trackingInput.ts"

const wrong = "brand.name: must be 1–200 characters without control characters or outer spaces"

it("an invalid name in a file is reported with the file and with the page that shows an example", () => {
  expect(() => decodeTracking({ brand: { name: "" } }, "tracking.json")).toThrow(
    expect.objectContaining({ message: `tracking.json: ${wrong}`, hint: "docs/configuration.md shows such a file" })
  )
})

it("an invalid name in an option is reported without a file", () => {
  expect(() => readTrackingOptions({ brand: "" })).toThrow(
    expect.objectContaining({ message: wrong, hint: undefined })
  )
})
