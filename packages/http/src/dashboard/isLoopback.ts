/** Whether an address is that of the machine itself, which nobody else reaches. */
export const isLoopback = ({ hostname }: URL): boolean =>
  hostname === "localhost" || hostname === "[::1]" || /^127(?:\.\d+){3}$/.test(hostname)
