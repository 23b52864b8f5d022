import { slugify } from "@sov/core"
import { expect, it } from "vitest"

it.each([["Café Müller & Co", "cafe-muller-co"], ["  --  ", "org"], ["大众", "org"], [
  "A".repeat(200),
  "a".repeat(60)
]])(
  "the name %s has the slug %s",
  (name, slug) => expect(slugify(name)).toBe(slug)
)
