/** `postpack` of each package: gives the checkout its own package.json back (see `prepack.ts`). */
import { existsSync, renameSync } from "node:fs"

if (existsSync("package.json.orig")) renameSync("package.json.orig", "package.json")
