/**
 * The Grafana dashboard for the server's metrics: every query is valid PromQL and uses metrics that /metrics exposes.
 */
import { parser } from "@prometheus-io/lezer-promql"
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import { beforeAll, describe, expect, it } from "vitest"
import { RequestMetrics } from "../../packages/http/src/middleware/RequestMetrics.ts"

const { panels } = JSON.parse(readFileSync(new URL("../../deploy/grafana/server.json", import.meta.url), "utf8")) as {
  readonly panels: ReadonlyArray<{ readonly title: string; readonly targets: ReadonlyArray<{ readonly expr: string }> }>
}
const targets = panels.flatMap(({ targets, title }) => targets.map(({ expr }) => ({ title, expr })))

describe("deploy/grafana/server.json", () => {
  let exposed: ReadonlyMap<string, ReadonlySet<string>>

  beforeAll(() =>
    Effect.runPromise(
      Effect.gen(function*() {
        const metrics = yield* RequestMetrics
        metrics.begin()
        metrics.end("GET", "/api/v1/sov", 200, 3)
        const samples = [...metrics.text().matchAll(/^([a-z_]+)(?:\{(.*)\})? /gm)]
        exposed = new Map(
          samples.map(([, name = "", labels = ""]) => [
            name,
            new Set([...labels.matchAll(/(\w+)="/g)].map(([, label]) => label!))
          ])
        )
      }).pipe(Effect.provide(RequestMetrics.layer))
    )
  )

  /** The selectors of an expression according to Prometheus' own grammar; null if it is not PromQL. */
  const selectorsOf = (expr: string) => {
    // Grafana fills in these variables before it sends a query
    const asked = expr.replaceAll("$__rate_interval", "5m").replaceAll("$instance", ".*")
    const found: Array<{ readonly name: string; readonly labels: Array<string> }> = []
    let broken = false
    parser.parse(asked).iterate({
      enter: (node) => {
        if (node.type.isError) broken = true
        const text = asked.slice(node.from, node.to)
        if (node.name === "VectorSelector") found.push({ name: /^\w+/.exec(text)![0], labels: [] })
        if (node.name === "LabelName") found.at(-1)?.labels.push(text)
      }
    })
    return broken ? null : found
  }

  it("the dashboard has panels, and the check of their queries detects faults", () => {
    expect(targets.length).toBeGreaterThanOrEqual(9)
    expect(selectorsOf("sum(rate(sov_http_requests_total[5m])")).toBe(null)
    expect(selectorsOf("a{b=\"c\"} / d")).toEqual([{ name: "a", labels: ["b"] }, { name: "d", labels: [] }])
  })

  it.each(targets)("the query of $title uses existing metrics: $expr", ({ expr }) => {
    const selectors = selectorsOf(expr)
    expect(selectors).not.toBe(null)
    expect(selectors!.length).toBeGreaterThan(0)
    for (const { labels, name } of selectors!) {
      expect(exposed.has(name), name).toBe(true)
      // Labels of the scrape itself, or labels that a sum keeps
      const known = new Set([...exposed.get(name)!, "instance"])
      expect(labels.filter((label) => !known.has(label)), name).toEqual([])
    }
  })
})
