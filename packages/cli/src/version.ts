import { readFileSync } from "node:fs"

/** The version of this installation of sov. */
export const version = (): string =>
  (JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as { readonly version: string })
    .version
