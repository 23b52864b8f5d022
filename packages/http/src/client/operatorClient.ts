/** A client for the operator's operations, based on `fetch`. */
import type * as Shape from "./operatorShapes.ts"
import {
  type CallOptions,
  type ClientOptions,
  formatQuery,
  readMember,
  type Sent,
  type StartOptions,
  Transport
} from "./transport.ts"

export type * from "./operatorShapes.ts"

/** A UTC month such as `2026-11` (default: the current month), and one organization (default: all). */
export interface UsageQuery {
  readonly month?: string
  readonly organization?: string
}

/** Maximum number of organizations on one page. */
const maxOrganizationsPage = 100

const readOrganization = readMember<Shape.Organization>("slug")
const readMemberOf = readMember<Shape.Member>("role")

/**
 * Operations for the operator of a server with many organizations, called with an operator key. An organization is
 * named by its id or short name. Errors and retries are the same as in SovClient.
 */
export class SovOperatorClient {
  readonly #transport: Transport

  /** Throws TypeError for an invalid URL or key; the message never contains the key. */
  constructor(options: ClientOptions) {
    this.#transport = new Transport(options)
  }

  #of<A>(organization: string, below: string, sent: Sent<A>, options: CallOptions): Promise<A> {
    return this.#transport.call(`/organizations/${encodeURIComponent(organization)}${below}`, sent, options)
  }

  /** GET /api/v1/organizations: one page of organizations, oldest first. */
  listOrganizations(
    { cursor, limit, ...options }: CallOptions & { readonly limit?: number; readonly cursor?: string } = {}
  ): Promise<Shape.OrganizationPage> {
    const read = readMember<Shape.OrganizationPage>("data")
    return this.#transport.call(`/organizations${formatQuery({ limit, cursor })}`, { read }, options)
  }

  /** All organizations, read 100 at a time. */
  async *organizations(options: CallOptions = {}): AsyncGenerator<Shape.Organization, void> {
    let cursor: string | undefined
    do {
      const page = await this.listOrganizations({
        ...options,
        limit: maxOrganizationsPage,
        ...cursor === undefined ? {} : { cursor }
      })
      yield* page.data
      cursor = page.meta.next_cursor ?? undefined
    } while (cursor !== undefined)
  }

  /** POST /api/v1/organizations: requests with the same Idempotency-Key create only one organization. */
  createOrganization(body: Shape.CreateOrganization, options: StartOptions = {}): Promise<Shape.Organization> {
    const headers = { "idempotency-key": options.idempotencyKey ?? crypto.randomUUID() }
    return this.#transport.call("/organizations", { method: "POST", body, headers, read: readOrganization }, options)
  }

  /** GET /api/v1/organizations/{organization} */
  getOrganization(organization: string, options: CallOptions = {}): Promise<Shape.Organization> {
    return this.#of(organization, "", { read: readOrganization }, options)
  }

  /** PATCH /api/v1/organizations/{organization}: changes name, plan and limits; omitted fields stay unchanged. */
  editOrganization(
    organization: string,
    body: Shape.EditOrganization,
    options: CallOptions = {}
  ): Promise<Shape.Organization> {
    return this.#of(organization, "", { method: "PATCH", body, read: readOrganization }, options)
  }

  /** POST /api/v1/organizations/{organization}/suspend */
  suspendOrganization(
    organization: string,
    { reason, ...options }: CallOptions & { readonly reason?: string } = {}
  ): Promise<Shape.Organization> {
    const body = reason === undefined ? {} : { reason }
    return this.#of(organization, "/suspend", { method: "POST", body, read: readOrganization }, options)
  }

  /** POST /api/v1/organizations/{organization}/resume */
  resumeOrganization(organization: string, options: CallOptions = {}): Promise<Shape.Organization> {
    return this.#of(organization, "/resume", { method: "POST", read: readOrganization }, options)
  }

  /** GET /api/v1/organizations/{organization}/export: a ZIP, returned as a stream. */
  exportOrganization(organization: string, options: CallOptions = {}): Promise<ReadableStream<Uint8Array>> {
    const read = (response: Response) =>
      Promise.resolve(
        response.headers.get("content-type") === "application/zip" ? response.body ?? undefined : undefined
      )
    return this.#of(organization, "/export", { read }, options)
  }

  /** DELETE /api/v1/organizations/{organization}: schedules the deletion in seven days. */
  deleteOrganization(organization: string, options: CallOptions = {}): Promise<Shape.RequestedDeletion> {
    return this.#of(
      organization,
      "",
      { method: "DELETE", read: readMember<Shape.RequestedDeletion>("due_at") },
      options
    )
  }

  /** POST /api/v1/organizations/{organization}/cancel-deletion */
  cancelDeletion(
    organization: string,
    options: CallOptions = {}
  ): Promise<{ readonly organization_id: string; readonly cancelled: boolean }> {
    const read = readMember<{ readonly organization_id: string; readonly cancelled: boolean }>("cancelled")
    return this.#of(organization, "/cancel-deletion", { method: "POST", read }, options)
  }

  /** GET /api/v1/deletions */
  listDeletions(options: CallOptions = {}): Promise<Shape.DeletionList> {
    return this.#transport.call("/deletions", { read: readMember<Shape.DeletionList>("tombstones") }, options)
  }

  /** GET /api/v1/organizations/{organization}/keys */
  listKeys(organization: string, options: CallOptions = {}): Promise<{ readonly data: ReadonlyArray<Shape.ApiKey> }> {
    return this.#of(
      organization,
      "/keys",
      { read: readMember<{ readonly data: ReadonlyArray<Shape.ApiKey> }>("data") },
      options
    )
  }

  /**
   * POST /api/v1/organizations/{organization}/keys. Never retried, because a second request would create a second key.
   */
  createKey(organization: string, body: Shape.CreateApiKey, options: CallOptions = {}): Promise<Shape.CreatedApiKey> {
    const read = readMember<Shape.CreatedApiKey>("key")
    return this.#of(organization, "/keys", { method: "POST", body, read, once: true }, options)
  }

  /** DELETE /api/v1/organizations/{organization}/keys/{key} */
  revokeKey(organization: string, key: string, options: CallOptions = {}): Promise<Shape.ApiKey> {
    return this.#of(organization, `/keys/${encodeURIComponent(key)}`, {
      method: "DELETE",
      read: readMember<Shape.ApiKey>("revoked_at")
    }, options)
  }

  /** GET /api/v1/organizations/{organization}/members */
  listMembers(
    organization: string,
    options: CallOptions = {}
  ): Promise<{ readonly data: ReadonlyArray<Shape.Member> }> {
    const read = readMember<{ readonly data: ReadonlyArray<Shape.Member> }>("data")
    return this.#of(organization, "/members", { read }, options)
  }

  /**
   * POST /api/v1/organizations/{organization}/members. Never retried, because a second request would invalidate the
   * first link.
   */
  inviteMember(
    organization: string,
    body: Shape.InviteMember,
    options: CallOptions = {}
  ): Promise<Shape.InvitedMember> {
    const read = readMember<Shape.InvitedMember>("added")
    return this.#of(organization, "/members", { method: "POST", body, read, once: true }, options)
  }

  /** PATCH /api/v1/organizations/{organization}/members/{member}; `member` is an id. */
  setRole(
    organization: string,
    member: string,
    role: Shape.Member["role"],
    options: CallOptions = {}
  ): Promise<Shape.Member> {
    const sent = { method: "PATCH", body: { role }, read: readMemberOf } as const
    return this.#of(organization, `/members/${encodeURIComponent(member)}`, sent, options)
  }

  /** DELETE /api/v1/organizations/{organization}/members/{member} */
  removeMember(organization: string, member: string, options: CallOptions = {}): Promise<Shape.Member> {
    const sent = { method: "DELETE", read: readMemberOf } as const
    return this.#of(organization, `/members/${encodeURIComponent(member)}`, sent, options)
  }

  /** GET /api/v1/usage */
  usage({ month, organization, ...options }: CallOptions & UsageQuery = {}): Promise<Shape.Usage> {
    return this.#transport.call(
      `/usage${formatQuery({ month, organization })}`,
      { read: readMember<Shape.Usage>("total") },
      options
    )
  }

  /** GET /api/v1/usage.csv */
  usageCsv({ month, organization, ...options }: CallOptions & UsageQuery = {}): Promise<string> {
    const read = async (response: Response) =>
      response.headers.get("content-type")?.startsWith("text/csv") === true ? await response.text() : undefined
    return this.#transport.call(`/usage.csv${formatQuery({ month, organization })}`, { read }, options)
  }
}
