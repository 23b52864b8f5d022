/** Wraps stores so that each method runs as the organization that it is called for. */
import { Context, Effect } from "effect"
import type { StoreError } from "../../../ports/StoreError.ts"
import { everyOrganization, RowScope } from "./rowScope.ts"

/**
 * Methods that look across organizations, or whose rows belong to no organization; `all` means every method of the
 * port. Any other method runs as the organization in its first argument.
 */
export const methodsAcross: { readonly [port: string]: ReadonlyArray<string> | "all" } = {
  AlertStore: ["countsOf"],
  ApiKeyStore: ["findByHash"],
  CellStore: ["listOpen", "queues"],
  DeliveryStore: ["due", "expire", "queues", "record"],
  DigestStore: ["listDue"],
  EndpointStore: ["promoteStaged"],
  ExperimentEnds: ["listDue"],
  HealthStore: "all",
  InstanceStore: "all",
  MailStore: ["hasUnattempted", "listOrganizationsWithDueMail", "queue"],
  MeasurementStore: ["countFailures"],
  OrganizationData: ["deletionRequests", "tables", "tombstones"],
  OperatorStore: "all",
  OrganizationStore: ["create", "findByCreation", "findNamed", "limited", "list", "page"],
  PersonStore: [
    "addIdentity",
    "create",
    "find",
    "findByEmail",
    "findByIdentity",
    "listIdentities",
    "listMemberships",
    "lock",
    "recordSignIn",
    "removeIdentity"
  ],
  ScanStore: ["listRunning", "listSettled"],
  ScheduleStore: ["listDue", "nextOf"],
  ScoreStore: ["newestOf"],
  ServerRegistry: "all",
  SessionStore: "all",
  ShareLinkStore: ["findByHash"],
  UsageStore: ["ofMonth", "recent", "spentOnScans", "spentSince"],
  WorkerRegistry: "all"
}

/** Prefix of the ports' keys. */
const ports = "@sov/core/ports/"

/** These ports run effects of the caller, which keep the caller's organization. */
const unscoped = new Set(["Notifications", "Transaction"])

const runsAcross = (port: string, method: string): boolean => {
  const methods = methodsAcross[port]
  return methods === "all" || (methods ?? []).includes(method)
}

/** The organization that a method is called for: its first argument, or that argument's `organizationId`. */
const readOrganization = (first: unknown): string | undefined => {
  if (typeof first === "string") return first
  if (typeof first !== "object" || first === null || !("organizationId" in first)) return undefined
  return typeof first.organizationId === "string" ? first.organizationId : undefined
}

type AnyEffect = Effect.Effect<unknown, StoreError>
type AnyMethod = (...args: ReadonlyArray<unknown>) => AnyEffect

const scopeMethod = (port: string, name: string, method: AnyMethod): AnyMethod => {
  if (runsAcross(port, name)) {
    return (...args) => Effect.provideService(method(...args), RowScope, everyOrganization)
  }
  return (...args) => {
    const organization = readOrganization(args[0])
    return organization === undefined
      ? Effect.die(new Error(`${port}.${name} is called for no organization`))
      : Effect.provideService(method(...args), RowScope, organization)
  }
}

const scopeStore = (port: string, store: object): object =>
  Object.fromEntries(
    Object.entries(store as Readonly<Record<string, AnyMethod | AnyEffect>>).map(([name, member]) => [
      name,
      typeof member === "function"
        ? scopeMethod(port, name, member)
        : Effect.provideService(member, RowScope, everyOrganization)
    ])
  )

/** Returns the wrapped stores, for a client whose statements run as the organization of their fiber. */
export const scopeStores = <Stores>(stores: Context.Context<Stores>): Context.Context<Stores> =>
  Context.makeUnsafe(
    new Map(
      [...stores.mapUnsafe].map(([key, store]) => {
        if (!key.startsWith(ports)) return [key, store]
        const port = key.slice(ports.length)
        return [key, unscoped.has(port) ? store : scopeStore(port, store as object)]
      })
    )
  )
