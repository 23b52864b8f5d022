import type { GlobalOptions } from "../settings/GlobalOptions.ts"

/** Whether a command speaks to a server. A database that the command line names outranks SOV_URL. */
export const isRemote = ({ sources = {}, url = "" }: Pick<GlobalOptions, "sources" | "url">): boolean =>
  url !== "" && (sources["url"] === "cli" || ![sources["dataDir"], sources["databaseUrlFile"]].includes("cli"))
