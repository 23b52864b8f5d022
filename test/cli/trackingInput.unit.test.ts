/** What is wrong with a tracked set is said of the file that has it, or of the options. */
import { expect, it } from "vitest"
import { decodeTracking, readTrackingOptions } from "../../packages/cli/src/input/trackingInput.ts"

const wrong = "brand.name: must be 1–200 characters without control characters or outer spaces"

it("the error for an invalid name in a file states the file and the page that shows an example", () => {
  expect(() => decodeTracking({ brand: { name: "" } }, "tracking.json")).toThrow(
    expect.objectContaining({ message: `tracking.json: ${wrong}`, hint: "docs/configuration.md shows such a file" })
  )
})

it("the error for an invalid name in an option mentions no file", () => {
  expect(() => readTrackingOptions({ brand: "" })).toThrow(
    expect.objectContaining({ message: wrong, hint: undefined })
  )
})
