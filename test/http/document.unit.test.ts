/** The OpenAPI document: its operations, types, examples and errors. */
import { estimateSeconds } from "@sov/core"
import * as Contract from "@sov/http/contract"
import { makeOpenApiDocument, problemTypes } from "@sov/http/contract"
import {
  ActionList,
  ActionMark,
  Annotation,
  AnnotationList,
  ArchivePage,
  ClaimList,
  Definitions,
  Evidence,
  NewActionMark,
  NewAnnotation,
  ScanList,
  StartedScan,
  StartScan,
  Summary
} from "@sov/http/contract"
import { Schema } from "effect"
import { describe, expect, it } from "vitest"

interface Operation {
  readonly operationId: string
  readonly summary?: string
  readonly tags: ReadonlyArray<string>
  readonly security: ReadonlyArray<object>
  readonly parameters: ReadonlyArray<
    { readonly name: string; readonly description?: string; readonly schema: object; readonly example?: unknown }
  >
  readonly requestBody?: { readonly required: boolean; readonly content: Record<string, { readonly example: unknown }> }
  readonly responses: Record<
    string,
    { readonly description: string; readonly headers: object; readonly content?: Record<string, { example?: unknown }> }
  >
}
const document = makeOpenApiDocument("1.2.3")
const allOperations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, one]) => ({
    route: `${method.toUpperCase()} ${path}`,
    ...one as unknown as Operation
  }))
)
const operations = allOperations.filter(({ tags }) => tags[0] === "v1")
const operatorOperations = allOperations.filter(({ tags }) => tags[0] === "operator")

/** Statuses of each operator operation, in addition to those of all of them. */
const operatorResponses: { readonly [operationId: string]: string } = {
  listOrganizations: "200 304",
  createOrganization: "201 409 413 415 422",
  getOrganization: "200 304 404",
  editOrganization: "200 404 409 413 415",
  deleteOrganization: "202 404",
  suspendOrganization: "200 404 413 415",
  resumeOrganization: "200 404",
  exportOrganization: "200 404",
  cancelDeletion: "200 404",
  listDeletions: "200 304",
  listKeys: "200 304 404",
  createKey: "201 404 413 415",
  revokeKey: "200 404",
  listMembers: "200 304 404",
  inviteMember: "201 404 413 415",
  setRole: "200 404 413 415",
  removeMember: "200 404",
  usage: "200 304 404",
  usageCsv: "200 404"
}
const operatorSchemas: { readonly [operationId: string]: Schema.Codec<unknown, unknown> | undefined } = {
  listOrganizations: Contract.OrganizationList,
  createOrganization: Contract.Organization,
  getOrganization: Contract.Organization,
  editOrganization: Contract.Organization,
  deleteOrganization: Contract.RequestedDeletion,
  suspendOrganization: Contract.Organization,
  resumeOrganization: Contract.Organization,
  cancelDeletion: Contract.CancelledDeletion,
  listDeletions: Contract.DeletionList,
  listKeys: Contract.ApiKeyList,
  createKey: Contract.CreatedApiKey,
  revokeKey: Contract.ApiKey,
  listMembers: Contract.MemberList,
  inviteMember: Contract.InvitedMember,
  setRole: Contract.Member,
  removeMember: Contract.Member,
  usage: Contract.Usage
}
const operatorBodies: { readonly [operationId: string]: Schema.Codec<unknown, unknown> } = {
  createOrganization: Contract.CreateOrganization,
  editOrganization: Contract.EditOrganization,
  suspendOrganization: Contract.SuspendOrganization,
  createKey: Contract.CreateApiKey,
  inviteMember: Contract.InviteMember,
  setRole: Contract.SetRole
}

describe("the OpenAPI document", () => {
  it("the document lists exactly these operations of an organization, and the operator's under their own key", () => {
    expect(operations.map(({ route }) => route)).toEqual([
      "GET /api/v1/sov",
      "GET /api/v1/sov/definitions",
      "GET /api/v1/sov/odds",
      "GET /api/v1/evidence",
      "GET /api/v1/scans",
      "POST /api/v1/scans",
      "GET /api/v1/archive",
      "GET /api/v1/annotations",
      "POST /api/v1/annotations",
      "DELETE /api/v1/annotations/{id}",
      "GET /api/v1/experiments",
      "POST /api/v1/experiments",
      "GET /api/v1/experiments/{id}",
      "POST /api/v1/experiments/{id}/end",
      "GET /api/v1/actions",
      "POST /api/v1/actions/{id}/mark",
      "DELETE /api/v1/actions/{id}/mark",
      "GET /api/v1/card/claims",
      "GET /api/v1/funnel"
    ])
    for (const { route, security } of operatorOperations) expect(security, route).toEqual([{ operatorKey: [] }])
    for (const { route, security } of operations) expect(security, route).toEqual([{ apiKey: [] }])
    expect(operatorOperations.map(({ operationId }) => operationId)).toEqual(Object.keys(operatorResponses))
    expect(document).toMatchObject({ openapi: "3.1.0", info: { version: "1.2.3" } })
    expect(operations.every(({ summary }) => summary !== undefined)).toBe(true)
  })

  it("parameters have their types, bounds and defaults", () => {
    const parameter = (route: string, name: string) =>
      operations.find((one) => one.route === route)?.parameters.find((one) => one.name === name)
    expect(parameter("GET /api/v1/scans", "limit")?.schema).toEqual({
      type: "integer",
      minimum: 1,
      maximum: 50,
      default: 10
    })
    expect(parameter("GET /api/v1/archive", "limit")?.schema).toEqual({
      type: "integer",
      minimum: 1,
      maximum: 100,
      default: 50
    })
    expect(parameter("GET /api/v1/archive", "keyword_id")?.schema).toMatchObject({ format: "uuid" })
    expect(operations.find(({ route }) => route.startsWith("POST"))?.requestBody?.required).toBe(false)
  })

  it("every error of an operation is documented exactly once", () => {
    const statuses = Object.fromEntries(
      operations.map(({ operationId, responses }) => [operationId, Object.keys(responses).join(" ")])
    )
    const always = "400 401 403 408 421 429 431 500 501 503"
    const all = (...more: ReadonlyArray<string>) => [...always.split(" "), ...more].toSorted().join(" ")
    expect(statuses).toEqual({
      sov: all("200", "304", "404"),
      definitions: all("200", "304", "404"),
      odds: all("200", "304", "404"),
      evidence: all("200", "304", "404"),
      listScans: all("200", "304"),
      startScan: all("202", "409", "413", "415", "422"),
      archive: all("200", "304"),
      annotations: all("200", "304"),
      addAnnotation: all("201", "413", "415"),
      removeAnnotation: all("200", "404"),
      experiments: all("200", "304"),
      startExperiment: all("201", "404", "413", "415", "422"),
      experiment: all("200", "304", "404"),
      endExperiment: all("200", "404", "413", "415"),
      actions: all("200", "304", "404"),
      markAction: all("201", "404", "413", "415"),
      unmarkAction: all("200", "404"),
      claims: all("200", "304", "404"),
      funnel: all("200", "304", "404")
    })
    for (const { operationId, responses } of operatorOperations) {
      const own = [...always.replace(" 403", "").split(" "), ...operatorResponses[operationId]!.split(" ")]
      expect(Object.keys(responses).toSorted(), operationId).toEqual(own.toSorted())
    }
    const types = Object.values(problemTypes).map(({ type }) => type)
    expect(new Set(types).size).toBe(types.length)
    const text = JSON.stringify(document.components.schemas)
    const elsewhere = ["/problems/method-not-allowed"]
    for (const type of types) expect(text.includes(`"${type}"`), type).toBe(!elsewhere.includes(type))
    expect(text).not.toMatch(/Encoded|"Infinity"|"NaN"/)
  })

  it("all objects allow new members, all bounds are deliberate, and every parameter is described", () => {
    const text = JSON.stringify(document)
    expect(text).not.toMatch(/"additionalProperties":false|\d{16}/)
    for (const one of allOperations.flatMap(({ parameters }) => parameters)) {
      expect(one.description, one.name).toMatch(/\w+ \w+/)
    }
    const { InvalidRequest, ScanQuotaExhausted } = document.components.schemas
    const always = ["type", "title", "status", "instance", "request_id"]
    expect(InvalidRequest?.["required"]).toEqual(always)
    expect(ScanQuotaExhausted?.["required"]).toEqual([...always, "limit", "used", "resets_at", "retry_after"])
    expect(document.components.schemas["StartScan"]?.["description"]).toMatch(/not known are ignored/)
  })

  it("the examples match the schemas", () => {
    const schemas = {
      sov: Summary,
      definitions: Definitions,
      odds: Contract.SpotCheck,
      evidence: Evidence,
      listScans: ScanList,
      startScan: StartedScan,
      archive: ArchivePage,
      annotations: AnnotationList,
      addAnnotation: Annotation,
      removeAnnotation: Annotation,
      experiments: Contract.ExperimentList,
      startExperiment: Contract.ExperimentDetail,
      experiment: Contract.ExperimentDetail,
      endExperiment: Contract.Experiment,
      actions: ActionList,
      markAction: ActionMark,
      unmarkAction: ActionMark,
      claims: ClaimList,
      funnel: Contract.Funnel
    }
    const bodies = {
      startScan: StartScan,
      addAnnotation: NewAnnotation,
      startExperiment: Contract.NewExperiment,
      endExperiment: Contract.EndExperiment,
      markAction: NewActionMark
    }
    for (const { operationId, parameters, requestBody, responses } of operations) {
      const content = (responses["200"] ?? responses["201"] ?? responses["202"])?.content?.["application/json"]
      const decode = Schema.decodeUnknownSync(schemas[operationId as keyof typeof schemas] as typeof Summary, {
        onExcessProperty: "error"
      })
      expect(() => decode(content?.example)).not.toThrow()
      for (const one of parameters) {
        expect(one.name === "If-None-Match" || one.example !== undefined, one.name).toBe(true)
      }
      if (requestBody === undefined) continue
      const body = Schema.decodeUnknownSync(bodies[operationId as keyof typeof bodies] as typeof StartScan)
      expect(() => body(requestBody.content["application/json"]?.example)).not.toThrow()
    }
  })
})

it("the examples of the operator's operations match their schemas", () => {
  for (const { operationId, parameters, requestBody, responses } of operatorOperations) {
    const schema = operatorSchemas[operationId]
    const content = (responses["200"] ?? responses["201"] ?? responses["202"])?.content?.["application/json"]
    expect(content === undefined, operationId).toBe(schema === undefined)
    const strict = { onExcessProperty: "error" } as const
    if (schema !== undefined) {
      expect(() => Schema.decodeUnknownSync(schema, strict)(content?.example), operationId).not.toThrow()
    }
    for (const { example, name } of parameters) {
      expect(name === "If-None-Match" || name === "cursor" || example !== undefined, name).toBe(true)
    }
    expect(requestBody === undefined, operationId).toBe(operatorBodies[operationId] === undefined)
    if (requestBody === undefined) continue
    const decode = Schema.decodeUnknownSync(operatorBodies[operationId]!, strict)
    expect(() => decode(requestBody.content["application/json"]?.example), operationId).not.toThrow()
  }
})

describe("the estimate of a scan", () => {
  it("the estimate is the time of the slowest platform: ten seconds if its latency is unknown, at least one second", () => {
    const of = (cells: number, concurrency: number, latencyMs: number | null) => ({ cells, concurrency, latencyMs })
    expect(estimateSeconds([of(10, 4, 2_000), of(10, 8, 9_000)])).toBe(12)
    expect(estimateSeconds([of(3, 2, null)])).toBe(15)
    expect(estimateSeconds([of(1, 8, 5)])).toBe(1)
    expect(estimateSeconds([])).toBe(1)
  })
})
