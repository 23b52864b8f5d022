import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../contract/Api.ts"
import { archive } from "./archive.ts"
import { listScans, startScan } from "./scans.ts"
import { sov } from "./sov.ts"

/** The handlers of the four operations. */
export const layerHandlers = HttpApiBuilder.group(Api, "v1", (handlers) =>
  handlers
    .handle("sov", sov)
    .handle("listScans", listScans)
    .handleRaw("startScan", startScan)
    .handle("archive", archive))
