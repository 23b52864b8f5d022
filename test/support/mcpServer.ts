/** The tool server in the test's own process, organizations with data, and messages to send. */
import {
  ArchiveStore,
  BusinessCardStore,
  type ConfiguredPlatform,
  type OrganizationId,
  ScanStore,
  ScoreStore,
  TrafficStore
} from "@sov/core"
import { addScan, answerTo, at, cardEdit, measurementOf, scoreOf, seedAnswers, trafficLine } from "@sov/core/testing"
import { layerMcp, type McpPack } from "@sov/mcp"
import { Effect } from "effect"
import { type Answer, type Ask, openApi, tenant } from "./apiServer.ts"

/** The revisions of the MCP protocol, oldest first. */
export const revisions = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"] as const
type Revision = typeof revisions[number]

export const toolNames = [
  "get_visibility_summary",
  "list_keywords",
  "get_scan_results",
  "get_answer_archive",
  "get_business_card",
  "get_ai_traffic"
] as const

const accept = "application/json, text/event-stream"

/** Fields that the 2026 revision requires in every request: in the body, and again as headers. */
const envelope = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "0" },
  "io.modelcontextprotocol/clientCapabilities": {}
}

let ids = 0

/** A request message in the format of the revision. */
export const message = (
  method: string,
  params: { readonly [name: string]: unknown } = {},
  revision: Revision = "2025-11-25"
) => {
  const modern = revision === "2026-07-28"
  const meta = { ...params["_meta"] as object | undefined, ...modern ? envelope : {} }
  const name = params["name"] ?? params["uri"]
  return {
    body: {
      jsonrpc: "2.0",
      id: ++ids,
      method,
      params: { ...params, ...Object.keys(meta).length === 0 ? {} : { _meta: meta } }
    },
    headers: {
      "content-type": "application/json",
      accept,
      "mcp-protocol-version": revision,
      ...modern ? { "mcp-method": method, ...typeof name === "string" ? { "mcp-name": name } : {} } : {}
    }
  }
}

/** The HTTP request that posts a message. */
export const post = (key: string | undefined, body: unknown, headers: Ask["headers"] = {}): Ask => ({
  method: "POST",
  ...key === undefined ? {} : { key },
  headers: { "content-type": "application/json", accept, ...headers },
  body: typeof body === "string" ? body : JSON.stringify(body)
})

/** The result of a tool call. */
export interface Called {
  readonly isError?: boolean
  readonly content: ReadonlyArray<{ readonly type: string; readonly text?: string; readonly uri?: string }>
  // oxlint-disable-next-line typescript/no-explicit-any -- members of every tool's own output
  readonly structuredContent?: any
}

/** Starts the server; returns everything that `openApi` returns, and functions that call tools. */
export const openMcp = async (
  home: Parameters<typeof openApi>[0],
  { logs, pack, platforms, rate = 0, settings }: {
    readonly rate?: number
    readonly platforms?: ReadonlyArray<ConfiguredPlatform>
    readonly settings?: Parameters<typeof openApi>[1]
    readonly pack?: McpPack
    readonly logs?: Parameters<typeof openApi>[3]
  } = {}
) => {
  const api = await openApi(
    home,
    settings,
    layerMcp({ rate, version: "1.2.3", ...platforms && { platforms } }, pack),
    logs
  )
  const rpc = (
    key: string | undefined,
    method: string,
    params?: { readonly [name: string]: unknown },
    revision?: Revision
  ): Promise<Answer> => {
    const { body, headers } = message(method, params, revision)
    return api.ask("/api/mcp", post(key, body, headers))
  }
  /** The result of a request that must succeed. */
  const result = async <A>(...args: Parameters<typeof rpc>): Promise<A> => {
    const answer = await rpc(...args)
    const { result } = (answer.json ?? {}) as { readonly result?: A }
    if (answer.status !== 200 || result === undefined) throw new Error(`${answer.status} ${answer.text}`)
    return result
  }
  const call = (key: string, name: string, args: object = {}, revision?: Revision): Promise<Called> =>
    result(key, "tools/call", { name, arguments: args }, revision)
  return { ...api, rpc, result, call }
}
export type TestMcp = Awaited<ReturnType<typeof openMcp>>

/**
 * An organization with two completed scans of two keywords on two platforms (33 and 17 per cent), a fact on its card,
 * and a visit from an assistant.
 */
export const visibleTenant = Effect.fnUntraced(function*() {
  const made = yield* tenant()
  const { organizationId } = made
  const complete = Effect.fnUntraced(function*(seconds: number, avgSov: number) {
    const { cells, scan } = yield* addScan(organizationId, made.keywords, { startedAt: at(seconds) })
    yield* seedAnswers({ organizationId, cells }, seconds + 1)
    yield* (yield* ScoreStore).insert(
      organizationId,
      scoreOf(scan.id, {
        avgSov,
        platformBreakdown: { assistant_a: 2 * avgSov, assistant_b: 0 },
        lowCoverage: [],
        resultsCount: cells.length,
        failedCount: 0,
        // Two keywords are too few for an interval
        uncertainty: null
      }),
      at(seconds + 8)
    )
    yield* (yield* ScanStore).end(organizationId, scan.id, "completed", at(seconds + 9))
    return scan
  })
  const earlier = yield* complete(100, 50 / 3)
  const latest = yield* complete(200, 100 / 3)
  yield* (yield* BusinessCardStore).append(organizationId, [cardEdit()], at(30))
  yield* (yield* TrafficStore).add(organizationId, [trafficLine()], "v1")
  return { ...made, scans: { earlier, latest } }
})

/** Archives one more answer of the organization, with a text that tries to deceive a reader. */
export const archiveText = Effect.fnUntraced(function*(
  organizationId: OrganizationId,
  { keywords }: Pick<Effect.Success<ReturnType<typeof tenant>>, "keywords">,
  rawResponse: string,
  seconds: number
) {
  const { cells: [cell] } = yield* addScan(organizationId, keywords.slice(0, 1), { startedAt: at(seconds) })
  const answer = yield* answerTo(cell!, { rawResponse, createdAt: at(seconds) })
  yield* (yield* ArchiveStore).archive(organizationId, answer, measurementOf(answer))
  return answer
})
