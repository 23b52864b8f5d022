/** The pages in the menu. */
import type { Role } from "@sov/core/people"
import { type Address, to } from "../Address.ts"

export interface Section {
  readonly id: string
  readonly name: string
  /** The path of the page, without `/o/{slug}`. */
  readonly path: "" | `/${string}`
  /** Points of the icon's polyline in a 16 × 16 square. */
  readonly icon: string
  /** Whether the figures on the page depend on the chosen period. */
  readonly hasPeriod?: true
  /** Whether the entry is listed below the line "Manage". */
  readonly manage?: true
  /** The lowest role that may open the page; absent = everybody. */
  readonly least?: Role
}

const all = [
  { id: "overview", name: "Overview", path: "", hasPeriod: true, icon: "M2.5 13.5h11M4 11V8m4 3V3.5M12 11V6" },
  { id: "actions", name: "Actions", path: "/actions", icon: "M2.5 8h9M8 4l4 4-4 4" },
  { id: "keywords", name: "Questions", path: "/keywords", hasPeriod: true, icon: "M2.5 4h11M2.5 8h7M2.5 12h9" },
  { id: "answers", name: "Answers", path: "/answers", icon: "M2.5 3.5h11v7h-6l-3 2.5v-2.5h-2z" },
  { id: "scans", name: "Scans", path: "/scans", icon: "M13.5 8a5.5 5.5 0 1 1-1.6-3.9M12 1.8v2.5H9.5" },
  {
    id: "experiments",
    name: "Experiments",
    path: "/experiments",
    icon: "M6 2.5h4M7 2.5v4l-4 7h10l-4-7v-4M5 10.5h6"
  },
  {
    id: "competitors",
    name: "Competitors",
    path: "/competitors",
    hasPeriod: true,
    icon: "M8 2.5v11M3.5 5h9M3.5 5l-2 4.5h4zM12.5 5l-2 4.5h4z"
  },
  {
    id: "sources",
    name: "Sources",
    path: "/sources",
    hasPeriod: true,
    icon: "M6.5 9.5a3 3 0 0 0 4.2 0l2-2a3 3 0 0 0-4.2-4.2l-1 1M9.5 6.5a3 3 0 0 0-4.2 0l-2 2a3 3 0 0 0 4.2 4.2l1-1"
  },
  { id: "traffic", name: "AI traffic", path: "/traffic", icon: "M2.5 11.5l3.5-4 3 2.5 4.5-5.5M10 4.5h3.5V8" },
  { id: "card", name: "Business card", path: "/card", icon: "M2.5 3.5h11v9h-11zM5 6.5h2.5v2.5H5zM10 6.5h1.5M10 9h1.5" },
  {
    id: "views",
    name: "Views",
    path: "/views",
    icon: "M1.5 8s2.5-4.5 6.5-4.5 6.5 4.5 6.5 4.5-2.5 4.5-6.5 4.5S1.5 8 1.5 8zM8 6a2 2 0 1 0 0 4 2 2 0 0 0 0-4z"
  },
  { id: "alerts", name: "Alerts", path: "/alerts", icon: "M4 11V7a4 4 0 0 1 8 0v4l1 1H3zM6.8 14h2.4" },
  {
    id: "settings",
    name: "Settings",
    path: "/settings",
    icon: "M2.5 5h6M11.5 5h2M10 3.5v3M2.5 11h2M7.5 11h6M6 9.5v3",
    manage: true
  },
  {
    id: "members",
    name: "Members",
    path: "/settings/members",
    icon:
      "M5.5 7.5a2.2 2.2 0 1 0 0-4.4 2.2 2.2 0 0 0 0 4.4zM1.5 13c0-2.5 1.6-4 4-4s4 1.5 4 4M10.5 3.3a2.2 2.2 0 0 1 0 4M11.5 9.2c1.9.4 3 1.8 3 3.8",
    manage: true,
    least: "owner"
  },
  {
    id: "audit",
    name: "Audit log",
    path: "/settings/audit",
    icon: "M3.5 2.5h9v11h-9zM6 5.5h4M6 8h4M6 10.5h2.5",
    manage: true,
    least: "owner"
  }
] as const satisfies ReadonlyArray<Section>

export type SectionId = (typeof all)[number]["id"]

/** All pages in the order of the menu. */
export const sections: ReadonlyArray<Section> = all

/** The address of a page of an organization. */
export const inOrganization = (slug: string, path: "" | `/${string}`, query: Parameters<typeof to>[1] = {}): Address =>
  to(`/o/${slug}${path}`, query)
