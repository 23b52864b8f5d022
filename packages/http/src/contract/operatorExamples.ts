/** Descriptions and examples of the operator's operations, for the OpenAPI document and the files generated from it. */

const organizationId = "01a1fdc2-d1f2-7c3a-8a3e-5b0c7d1e2f30"
const keyId = "01a1fdc2-d2a0-7b11-9c44-0e6f5a4b3c2d"
const memberId = "01a1fdc2-d30c-7e21-8d10-6a7b8c9d0e1f"
const at = "2026-11-21T10:59:01.100Z"
const dueAt = "2026-11-28T10:59:01.100Z"

const organization = {
  id: organizationId,
  name: "Acme",
  slug: "acme",
  plan: "pro",
  time_zone: "UTC",
  created_at: at,
  suspended: null,
  limits: { scans_per_month: null, requests_per_minute: 120, monthly_budget_usd: 50 },
  deletion_due_at: null
}
const key = {
  id: keyId,
  name: "dashboard",
  prefix: "sov_live_0Ab3",
  last_four: "9Zz0",
  scopes: ["read"],
  created_at: at,
  last_used_at: null,
  expires_at: null,
  revoked_at: null
}
const member = {
  id: memberId,
  name: "Ann",
  email: "ann@acme.example",
  role: "owner",
  status: "invited",
  created_at: at,
  signed_in_at: null
}
const counted = {
  calls: 25,
  answers: 24,
  charges: 1,
  input_tokens: 480,
  output_tokens: 9600,
  searches: 24,
  cost_usd: 0.31,
  unpriced: 0
}
const { created_at: _created, signed_in_at: _signed, status: _status, ...invited } = member

/** Examples and descriptions of path parameters, by name. */
export const pathExamples: { readonly [name: string]: readonly [example: string, description: string] } = {
  organization: ["acme", "Id or short name"],
  key: [keyId, "Id of the key, not the key itself"],
  member: [memberId, "Id or e-mail address"]
}

interface Described {
  readonly summary: string
  readonly description: string
  readonly request?: unknown
  readonly response: unknown
}

/** Summary, description and examples of each operation, by its id. */
export const operatorOperations: { readonly [operationId: string]: Described } = {
  listOrganizations: {
    summary: "Organizations",
    description: "Oldest first. Pass `meta.next_cursor` as `cursor` for the next page.",
    response: { data: [organization], meta: { count: 1, next_cursor: null } }
  },
  createOrganization: {
    summary: "Create an organization",
    description:
      "With what it tracks and its limits, all or nothing. With an Idempotency-Key the same request creates " +
      "one organization, however often it is sent, and gets it with `Idempotent-Replayed: true`.",
    request: {
      plan: "pro",
      brand: { name: "Acme", aliases: ["Acme Inc"], domains: ["acme.example"] },
      competitors: [{ name: "Globex", domains: ["globex.example"] }],
      keywords: [{ text: "What is the best anvil for beginners?" }],
      limits: { requests_per_minute: 120, monthly_budget_usd: 50 }
    },
    response: organization
  },
  getOrganization: {
    summary: "One organization",
    description: "With its plan, state and limits.",
    response: organization
  },
  editOrganization: {
    summary: "Rename an organization, or change plan, time zone or limits",
    description: "What is left out stays as it is. Every server applies it from the next request on.",
    request: { name: "Acme Europe", plan: "business", time_zone: "Europe/Berlin", limits: { monthly_budget_usd: 200 } },
    response: { ...organization, name: "Acme Europe", plan: "business", time_zone: "Europe/Berlin" }
  },
  suspendOrganization: {
    summary: "Suspend an organization",
    description:
      "Its results can be read, and no scan starts. Running scans ask nothing more and end with what was answered.",
    request: { reason: "invoice 2026-10 is not paid" },
    response: { ...organization, suspended: { since: at, reason: "invoice 2026-10 is not paid" } }
  },
  resumeOrganization: {
    summary: "Resume an organization",
    description: "Ends its suspension.",
    response: organization
  },
  exportOrganization: {
    summary: "Everything of one organization",
    description:
      "A ZIP with the files of `sov org export`: the archive with its seals, settings and everything else, " +
      "the audit log, and `export.json`, which comes last.",
    response: null
  },
  deleteOrganization: {
    summary: "Delete an organization, seven days from now",
    description: "Until then it works as before, and cancel-deletion keeps it. What is left is a signed tombstone.",
    response: { organization_id: organizationId, due_at: dueAt }
  },
  cancelDeletion: {
    summary: "Cancel the deletion",
    description: "The organization stays.",
    response: { organization_id: organizationId, cancelled: true }
  },
  listDeletions: {
    summary: "Requested and done deletions",
    description: "Tombstones have no name; `valid` says whether each is what was signed.",
    response: {
      requests: [{ organization_id: organizationId, requested_at: at, requested_by: "billing", due_at: dueAt }],
      tombstones: []
    }
  },
  listKeys: {
    summary: "API keys of an organization",
    description: "Never the keys themselves.",
    response: { data: [key] }
  },
  createKey: {
    summary: "Create an API key of an organization",
    description: "`key` is shown in this answer only. Sent again it makes another key: revoke the one too many.",
    request: { name: "dashboard", scopes: ["read"] },
    response: { ...key, key: `sov_live_${"k".repeat(49)}` }
  },
  revokeKey: {
    summary: "Revoke an API key of an organization",
    description: "For ever; every server refuses it from the next request on.",
    response: { ...key, revoked_at: at }
  },
  listMembers: {
    summary: "Members of an organization",
    description: "Who may sign in to its dashboard.",
    response: { data: [member] }
  },
  inviteMember: {
    summary: "Invite a member",
    description: "The link is mailed where the server has a mail server, and in the answer otherwise.",
    request: { email: "ann@acme.example", role: "owner", name: "Ann" },
    response: {
      ...invited,
      added: true,
      mailed: true,
      url: null,
      expires_at: dueAt
    }
  },
  setRole: {
    summary: "Change a member's role",
    description: "The last owner stays owner.",
    request: { role: "member" },
    response: { ...member, role: "member" }
  },
  removeMember: {
    summary: "Remove a member",
    description: "From the next request on. The last owner stays.",
    response: member
  },
  usage: {
    summary: "Usage of a month",
    description: "Of each organization, in all and by platform: the sums of the archive.",
    response: {
      month: "2026-11",
      organizations: [{
        organization_id: organizationId,
        slug: "acme",
        name: "Acme",
        scans: 1,
        ...counted,
        platforms: [{ platform: "assistant_a", ...counted }]
      }],
      total: { scans: 1, ...counted }
    }
  },
  usageCsv: {
    summary: "Usage of a month as CSV",
    description: "A line of all platforms of each organization, whose `platform` is empty, and one of each platform, " +
      "whose `scans` are empty.",
    response:
      "month,organization_id,organization,name,platform,scans,calls,answers,charges,input_tokens,output_tokens," +
      `searches,cost_usd,unpriced\r\n2026-11,${organizationId},acme,Acme,,1,25,24,1,480,9600,24,0.31,0\r\n`
  }
}
