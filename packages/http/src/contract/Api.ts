/** The REST API: operations of an organization, and operations of the operator. */
import { Schema } from "effect"
import { HttpApi, HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { ActionList, ActionMark, ClaimList, NewActionMark } from "./actionResources.ts"
import { Authorization, RequiredScope } from "./Authorization.ts"
import { Evidence } from "./evidenceResource.ts"
import { EndExperiment, Experiment, ExperimentDetail, ExperimentList, NewExperiment } from "./experimentResources.ts"
import { Funnel } from "./funnelResource.ts"
import { operatorGroup } from "./OperatorApi.ts"
import { archiveQuery, funnelQuery, scansQuery, viewQuery } from "./parameters.ts"
import {
  BudgetExhausted,
  IdempotencyInProgress,
  IdempotencyMismatch,
  NoBrand,
  NoCompletedScan,
  NoKeywords,
  NoPlatforms,
  OrganizationSuspended,
  PayloadTooLarge,
  PlatformNotConfigured,
  PlatformsMixed,
  ResourceNotFound,
  ScanQuotaExhausted,
  UnknownKeyword,
  UnsupportedMediaType
} from "./problems.ts"
import {
  Annotation,
  AnnotationList,
  ArchivePage,
  Definitions,
  NewAnnotation,
  ScanList,
  StartedScan,
  StartScan,
  Summary
} from "./resources.ts"
import { SpotCheck } from "./spotResource.ts"

/** The current share of voice, from the newest completed scan that asked everything. */
const sov = HttpApiEndpoint.get("sov", "/sov", {
  query: viewQuery,
  success: Summary,
  error: [NoCompletedScan, ResourceNotFound]
})

/** The answers behind `sov`, counted by each definition of voice. */
const definitions = HttpApiEndpoint.get("definitions", "/sov/definitions", {
  query: viewQuery,
  success: Definitions,
  error: [NoCompletedScan, ResourceNotFound]
})

/** How likely somebody who opens one answer, or three, sees the brand. */
const odds = HttpApiEndpoint.get("odds", "/sov/odds", { success: SpotCheck, error: [NoCompletedScan] })

/** How far the share of voice can be relied on, and the cheapest way to the next grade. */
const evidence = HttpApiEndpoint.get("evidence", "/evidence", { success: Evidence, error: [NoCompletedScan] })

/** How far the brand's own pages get in the answers of the newest comparable scans. */
const funnel = HttpApiEndpoint.get("funnel", "/funnel", {
  query: funnelQuery,
  success: Funnel,
  error: [NoCompletedScan]
})

/** Recent scans, newest first. */
const listScans = HttpApiEndpoint.get("listScans", "/scans", { query: scansQuery, success: ScanList })

/** Starts a scan, which counts toward the monthly quota. The body is optional. */
const startScan = HttpApiEndpoint.post("startScan", "/scans", {
  headers: { "idempotency-key": Schema.optionalKey(Schema.String) },
  // Not NullOr: a missing body is not the JSON value null
  payload: [Schema.Null, StartScan],
  success: StartedScan.pipe(HttpApiSchema.status(202)),
  error: [
    IdempotencyInProgress,
    PayloadTooLarge,
    UnsupportedMediaType,
    UnknownKeyword,
    NoBrand,
    NoKeywords,
    NoPlatforms,
    PlatformNotConfigured,
    PlatformsMixed,
    IdempotencyMismatch,
    OrganizationSuspended,
    ScanQuotaExhausted,
    BudgetExhausted
  ]
}).annotate(RequiredScope, "scan")

/** The dated archive of raw answers, newest first. */
const archive = HttpApiEndpoint.get("archive", "/archive", { query: archiveQuery, success: ArchivePage })

const annotations = HttpApiEndpoint.get("annotations", "/annotations", { success: AnnotationList })

const addAnnotation = HttpApiEndpoint.post("addAnnotation", "/annotations", {
  payload: NewAnnotation,
  success: Annotation.pipe(HttpApiSchema.status(201)),
  error: [PayloadTooLarge, UnsupportedMediaType]
}).annotate(RequiredScope, "scan")

const removeAnnotation = HttpApiEndpoint.delete("removeAnnotation", "/annotations/:id", {
  params: { id: Schema.String },
  success: Annotation,
  error: [ResourceNotFound]
}).annotate(RequiredScope, "scan")

const experiments = HttpApiEndpoint.get("experiments", "/experiments", { success: ExperimentList })

const startExperiment = HttpApiEndpoint.post("startExperiment", "/experiments", {
  payload: NewExperiment,
  success: ExperimentDetail.pipe(HttpApiSchema.status(201)),
  error: [PayloadTooLarge, UnsupportedMediaType, NoBrand, NoCompletedScan]
}).annotate(RequiredScope, "scan")

const experiment = HttpApiEndpoint.get("experiment", "/experiments/:id", {
  params: { id: Schema.String },
  success: ExperimentDetail,
  error: [ResourceNotFound]
})

const endExperiment = HttpApiEndpoint.post("endExperiment", "/experiments/:id/end", {
  params: { id: Schema.String },
  payload: EndExperiment,
  success: Experiment,
  error: [PayloadTooLarge, UnsupportedMediaType, ResourceNotFound]
}).annotate(RequiredScope, "scan")

/** The business card compared with the answers of the newest scan. */
const claims = HttpApiEndpoint.get("claims", "/card/claims", { success: ClaimList, error: [NoCompletedScan] })

/** Actions to take next. */
const actions = HttpApiEndpoint.get("actions", "/actions", { success: ActionList, error: [NoCompletedScan] })

const markAction = HttpApiEndpoint.post("markAction", "/actions/:id/mark", {
  params: { id: Schema.String },
  payload: NewActionMark,
  success: ActionMark.pipe(HttpApiSchema.status(201)),
  error: [ResourceNotFound, PayloadTooLarge, UnsupportedMediaType]
}).annotate(RequiredScope, "scan")

const unmarkAction = HttpApiEndpoint.delete("unmarkAction", "/actions/:id/mark", {
  params: { id: Schema.String },
  success: ActionMark,
  error: [ResourceNotFound]
}).annotate(RequiredScope, "scan")

/** The whole API: group `v1` with the operations of an organization, and group `operator`. */
export const Api = HttpApi.make("sov").add(
  HttpApiGroup.make("v1", { topLevel: true })
    .add(sov, definitions, odds, evidence, listScans, startScan, archive, annotations, addAnnotation, removeAnnotation)
    .add(experiments, startExperiment, experiment, endExperiment)
    .add(actions, markAction, unmarkAction, claims, funnel)
    .middleware(Authorization)
    .prefix("/api/v1"),
  operatorGroup
).annotate(HttpApi.QueryParseOptions, { errors: "all" })
