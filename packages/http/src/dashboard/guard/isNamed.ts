import type { Person } from "@sov/core/people"

/** Whether it is this person whom the proxy names. */
export const isNamed = ({ email }: Pick<Person, "email">, proxyUser: string): boolean =>
  proxyUser.toLowerCase() === email?.toLowerCase()
