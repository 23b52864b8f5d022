import type { GlobalOptions } from "../settings/GlobalOptions.ts"

/** Whether a command is sent to a server. A database named on the command line takes precedence over SOV_URL. */
export const isRemote = ({ sources = {}, url = "" }: Pick<GlobalOptions, "sources" | "url">): boolean =>
  url !== "" && (sources["url"] === "cli" || ![sources["dataDir"], sources["databaseUrlFile"]].includes("cli"))
