import type { Person } from "@sov/core/people"

/** Whether the proxy names this person. */
export const isNamed = ({ email }: Pick<Person, "email">, proxyUser: string): boolean =>
  proxyUser.toLowerCase() === email?.toLowerCase()
