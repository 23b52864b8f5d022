/** `postpack` of each package: restores the checkout's package.json (see `prepack.ts`). */
import { existsSync, renameSync } from "node:fs"

if (existsSync("package.json.orig")) renameSync("package.json.orig", "package.json")
