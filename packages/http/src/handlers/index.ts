import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../contract/Api.ts"
import { deleteMark, getActions, getClaims, postMark } from "./actions.ts"
import { addAnnotation, endAnnotation, getAnnotations } from "./annotations.ts"
import { getArchive } from "./archive.ts"
import * as experiments from "./experiments.ts"
import { getFunnel } from "./funnel.ts"
import * as operator from "./operator.ts"
import * as access from "./operatorAccess.ts"
import * as data from "./operatorData.ts"
import { listScans, startScan } from "./scans.ts"
import { getDefinitions, getEvidence, getOdds, getSov } from "./sov.ts"

/** The handlers of an organization's operations. */
export const layerHandlers = HttpApiBuilder.group(Api, "v1", (handlers) =>
  handlers
    .handle("sov", getSov)
    .handle("definitions", getDefinitions)
    .handle("odds", getOdds)
    .handle("evidence", getEvidence)
    .handle("listScans", listScans)
    .handleRaw("startScan", startScan)
    .handle("archive", getArchive)
    .handle("annotations", getAnnotations)
    .handleRaw("addAnnotation", addAnnotation)
    .handle("removeAnnotation", endAnnotation)
    .handle("experiments", experiments.getExperiments)
    .handleRaw("startExperiment", experiments.startExperiment)
    .handle("experiment", experiments.getExperiment)
    .handleRaw("endExperiment", experiments.endExperiment)
    .handle("actions", getActions)
    .handleRaw("markAction", postMark)
    .handle("unmarkAction", deleteMark)
    .handle("claims", getClaims)
    .handle("funnel", getFunnel))

/** The handlers of the operator's operations. */
export const layerOperatorHandlers = HttpApiBuilder.group(Api, "operator", (handlers) =>
  handlers
    .handle("listOrganizations", operator.listOrganizations)
    .handleRaw("createOrganization", operator.createOrganization)
    .handle("getOrganization", operator.getOrganization)
    .handleRaw("editOrganization", operator.editOrganization)
    .handleRaw("suspendOrganization", operator.suspendOrganization)
    .handle("resumeOrganization", operator.resumeOrganization)
    .handle("exportOrganization", data.exportOrganization)
    .handle("deleteOrganization", operator.deleteOrganization)
    .handle("cancelDeletion", operator.cancelDeletion)
    .handle("listDeletions", operator.listDeletions)
    .handle("listKeys", access.listKeys)
    .handleRaw("createKey", access.createKey)
    .handle("revokeKey", access.revokeKey)
    .handle("listMembers", access.listMembers)
    .handleRaw("inviteMember", access.inviteMember)
    .handleRaw("setRole", access.setRole)
    .handle("removeMember", access.removeMember)
    .handle("usage", data.usage)
    .handle("usageCsv", data.usageCsv))
