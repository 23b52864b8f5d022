/** Usage of the organizations, and the export of an organization. */
import { findOrganization, readUsage, usageCsv as toCsv, usageJson } from "@sov/core/organizations"
import { Effect, Stream } from "effect"
import { HttpServerResponse } from "effect/http"
import type { Usage } from "../contract/operatorResources.ts"
import { organizationFiles } from "../exportFiles.ts"
import { zipStream } from "../zip.ts"
import type { Named } from "./operator.ts"
import { orOperatorProblem } from "./orOperatorProblem.ts"
import { respondJson } from "./respond.ts"

interface Asked {
  readonly query: { readonly month?: string; readonly organization?: string }
}

/** GET /api/v1/usage */
export const usage = Effect.fnUntraced(function*({ query }: Asked) {
  const body: typeof Usage.Encoded = usageJson(yield* readUsage(query))
  return yield* respondJson(body, "operator")
}, orOperatorProblem)

/** GET /api/v1/usage.csv */
export const usageCsv = Effect.fnUntraced(function*({ query }: Asked) {
  const report = yield* readUsage(query)
  return HttpServerResponse.text(toCsv(report), {
    contentType: "text/csv; charset=utf-8; header=present",
    headers: { "content-disposition": `attachment; filename="usage-${report.month}.csv"` }
  })
}, orOperatorProblem)

/** GET /api/v1/organizations/{organization}/export: the files of `sov org export` in one ZIP. */
export const exportOrganization = Effect.fnUntraced(function*({ params }: Named) {
  const organization = yield* findOrganization(params.organization)
  const { at, files } = yield* organizationFiles(organization)
  const zip = zipStream(files, at)
  return HttpServerResponse.stream(Stream.provideContext(zip, yield* Effect.context<Stream.Services<typeof zip>>()), {
    contentType: "application/zip",
    headers: {
      "content-disposition": `attachment; filename="${organization.slug}-${at.toISOString().slice(0, 10)}.zip"`
    }
  })
}, orOperatorProblem)
