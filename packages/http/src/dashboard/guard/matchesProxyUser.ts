import type { Person } from "@sov/core/people"

/** Whether `proxyUser` is this person's e-mail address. */
export const matchesProxyUser = ({ email }: Pick<Person, "email">, proxyUser: string): boolean =>
  proxyUser.toLowerCase() === email?.toLowerCase()
