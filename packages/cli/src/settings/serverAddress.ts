/** The address of a server on this machine, as clients type it. */
export const serverAddress = (host: string, port: number | string): string => {
  const name = host === "0.0.0.0" || host === "::" ? "localhost" : host.includes(":") ? `[${host}]` : host
  return `http://${name}:${port}`
}
