/** Compares the members of the official types with those stored by the last check. */
import type { Found, Members } from "./readMembers.ts"

/** The stored members of a type. */
export interface KeptMembers extends Members {
  /** Members that sov uses although they are not part of the type. */
  readonly unknown: ReadonlyArray<string>
}

/** Content of `test/devtools/providers/kept.json`: the last check. */
export interface Kept {
  /** The day of the check, such as `2026-11-24`. */
  readonly date: string
  /** Versions of the SDKs by package. */
  readonly packages: Readonly<Record<string, string>>
  readonly types: Readonly<Record<string, KeptMembers>>
}

export interface Difference {
  readonly type: string
  readonly member: string
  readonly change: "new" | "gone" | "deprecated"
  /** Whether sov sends or reads the member. */
  readonly used: boolean
}

const without = (names: ReadonlyArray<string>, others: ReadonlyArray<string>) =>
  names.filter((name) => !others.includes(name))

export const keep = ({ all, deprecated, used }: Found): KeptMembers => ({
  all,
  deprecated,
  unknown: without(used, all)
})

/**
 * Lists members that are new, removed or newly deprecated. A member that sov uses and that was never part of a type
 * counts as removed.
 */
export const compareMembers = (kept: Kept["types"], found: ReadonlyMap<string, Found>): ReadonlyArray<Difference> =>
  [...found].flatMap(([type, { all, deprecated, used }]) => {
    const before = kept[type] ?? { all: [], deprecated: [], unknown: [] }
    const differ = (change: Difference["change"], members: ReadonlyArray<string>) =>
      members.map((member): Difference => ({ type, member, change, used: used.includes(member) }))
    const missing = without(without(used, all), [...before.all, ...before.unknown])
    return [
      ...differ("gone", [...without(before.all, all), ...missing]),
      ...differ("deprecated", without(deprecated, before.deprecated)),
      ...differ("new", without(all, before.all))
    ]
  })

/** A difference in words, such as "gone: max_output_tokens of Responses request (sov uses it)". */
export const describeDifference = ({ change, member, type, used }: Difference): string =>
  `${change}: ${member} of ${type}${used ? " (sov uses it)" : ""}`

/** Whether sov must change, because a member that it uses was removed or deprecated. */
export const isBreaking = ({ change, used }: Difference): boolean => used && change !== "new"
