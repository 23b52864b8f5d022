/** Whether a host name means this machine itself, which nobody else can reach. An IPv6 address may be in brackets. */
export const isLoopback = (host: string): boolean => /^(localhost|\[::1\]|::1|127(\.\d{1,3}){3})$/.test(host)
