/** The pages that the menu leads to. */
import { type Address, to } from "../Address.ts"

export interface Section {
  readonly id: string
  readonly name: string
  /** After `/o/{slug}`. */
  readonly path: "" | `/${string}`
  /** Corners of the icon's line in a square of 16. */
  readonly icon: string
  /** Whether it stands below the line "Manage". */
  readonly manage?: true
}

const all = [
  { id: "overview", name: "Overview", path: "", icon: "M2.5 13.5h11M4 11V8m4 3V3.5M12 11V6" }
] as const satisfies ReadonlyArray<Section>

export type SectionId = (typeof all)[number]["id"]

/** In the order of the menu. */
export const sections: ReadonlyArray<Section> = all

/** An address within an organization's pages. */
export const inOrganization = (slug: string, path: "" | `/${string}`, query: Parameters<typeof to>[1] = {}): Address =>
  to(`/o/${slug}${path}`, query)
