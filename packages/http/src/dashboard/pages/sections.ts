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
  { id: "overview", name: "Overview", path: "", icon: "M2.5 13.5h11M4 11V8m4 3V3.5M12 11V6" },
  { id: "keywords", name: "Keywords", path: "/keywords", icon: "M2.5 4h11M2.5 8h7M2.5 12h9" },
  { id: "answers", name: "Answers", path: "/answers", icon: "M2.5 3.5h11v7h-6l-3 2.5v-2.5h-2z" },
  { id: "scans", name: "Scans", path: "/scans", icon: "M13.5 8a5.5 5.5 0 1 1-1.6-3.9M12 1.8v2.5H9.5" },
  {
    id: "competitors",
    name: "Competitors",
    path: "/competitors",
    icon: "M8 2.5v11M3.5 5h9M3.5 5l-2 4.5h4zM12.5 5l-2 4.5h4z"
  }
] as const satisfies ReadonlyArray<Section>

export type SectionId = (typeof all)[number]["id"]

/** In the order of the menu. */
export const sections: ReadonlyArray<Section> = all

/** An address within an organization's pages. */
export const inOrganization = (slug: string, path: "" | `/${string}`, query: Parameters<typeof to>[1] = {}): Address =>
  to(`/o/${slug}${path}`, query)
