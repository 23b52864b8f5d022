/** Use cases for organizations as promises. */
import { Effect, Stream } from "effect"
import type { AnswerPlatforms } from "../ports/AnswerPlatform.ts"
import { Rejected } from "../usecases/errors.ts"
import { cancelDeletion, requestDeletion } from "../usecases/organizations/deleteOrganization.ts"
import {
  renameOrganization,
  resumeOrganization,
  setOrganizationLimits,
  suspendOrganization
} from "../usecases/organizations/editOrganization.ts"
import { exportRecords } from "../usecases/organizations/exportRecords.ts"
import { provisionOrganization } from "../usecases/organizations/provisionOrganization.ts"
import { findOrganization, listOrganizations } from "../usecases/organizations/reads.ts"
import { readUsage } from "../usecases/organizations/readUsage.ts"
import { setPlan } from "../usecases/organizations/setPlan.ts"
import { setScanQuota } from "../usecases/organizations/setScanQuota.ts"
import type { OrganizationChanges, Organizations } from "./Home.ts"
import { ChangesInput, checkInput, NewOrganizationInput, StopInput, SuspendInput, UsageInput } from "./inputs.ts"
import type { Services } from "./Sov.ts"

/** Runs an effect with the services of the home. */
type Run = <A, E>(effect: Effect.Effect<A, E, Services | AnswerPlatforms>, signal?: AbortSignal) => Promise<A>

const edit = Effect.fnUntraced(function*(named: string, { limits = {}, name, plan }: OrganizationChanges) {
  const { id } = yield* findOrganization(named)
  if (name !== undefined) yield* renameOrganization(id, name)
  if (plan !== undefined) yield* setPlan(id, plan)
  const { scanQuota, ...others } = limits
  if (scanQuota !== undefined) yield* setScanQuota(id, scanQuota)
  if (Object.keys(others).length > 0) yield* setOrganizationLimits(id, others)
  return yield* findOrganization(id)
})

/** The part of `openSov` that manages organizations. */
export const makeOrganizations = (run: Run): Organizations => ({
  create: async (given) => {
    checkInput(NewOrganizationInput, given, "organization")
    const { idempotencyKey, limits = {}, name = given.tracking?.brand.name, plan = "pro", signal, tracking } = given
    if (name === undefined) throw new Rejected({ field: "name", message: "give a name, or a brand that has one" })
    const input = { name, plan, limits, tracking: tracking ?? null }
    return (await run(provisionOrganization(input, idempotencyKey), signal)).organization
  },

  list: async (given = {}) => {
    checkInput(StopInput, given, "options")
    return run(listOrganizations(), given.signal)
  },

  get: async (organization, given = {}) => {
    checkInput(StopInput, given, "options")
    return run(findOrganization(organization), given.signal)
  },

  edit: async (organization, changes) => {
    checkInput(ChangesInput, changes, "changes")
    return run(edit(organization, changes), changes.signal)
  },

  suspend: async (organization, given = {}) => {
    checkInput(SuspendInput, given, "options")
    const reason = given.reason ?? null
    return run(
      Effect.flatMap(findOrganization(organization), ({ id }) => suspendOrganization(id, reason)),
      given.signal
    )
  },

  resume: async (organization, given = {}) => {
    checkInput(StopInput, given, "options")
    return run(Effect.flatMap(findOrganization(organization), ({ id }) => resumeOrganization(id)), given.signal)
  },

  delete: async (organization, given = {}) => {
    checkInput(StopInput, given, "options")
    return run(Effect.flatMap(findOrganization(organization), ({ id }) => requestDeletion(id)), given.signal)
  },

  cancelDeletion: async (organization, given = {}) => {
    checkInput(StopInput, given, "options")
    return run(Effect.flatMap(findOrganization(organization), ({ id }) => cancelDeletion(id)), given.signal)
  },

  exportRecords: async function*(organization, given = {}) {
    checkInput(StopInput, given, "options")
    const { signal } = given
    const [id, context] = await run(
      Effect.all([Effect.map(findOrganization(organization), (found) => found.id), Effect.context<Services>()]),
      signal
    )
    for await (const lines of Stream.toAsyncIterableWith(exportRecords(id), context)) {
      signal?.throwIfAborted()
      yield* lines
    }
  },

  usage: async (given = {}) => {
    checkInput(UsageInput, given, "options")
    const { month, organization, signal } = given
    return run(
      readUsage({ ...month === undefined ? {} : { month }, ...organization === undefined ? {} : { organization } }),
      signal
    )
  }
})
