import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../contract/Api.ts"
import { addAnnotation, endAnnotation, getAnnotations } from "./annotations.ts"
import { getArchive } from "./archive.ts"
import { listScans, startScan } from "./scans.ts"
import { getSov } from "./sov.ts"

/** The handlers of the operations. */
export const layerHandlers = HttpApiBuilder.group(Api, "v1", (handlers) =>
  handlers
    .handle("sov", getSov)
    .handle("listScans", listScans)
    .handleRaw("startScan", startScan)
    .handle("archive", getArchive)
    .handle("annotations", getAnnotations)
    .handleRaw("addAnnotation", addAnnotation)
    .handle("removeAnnotation", endAnnotation))
