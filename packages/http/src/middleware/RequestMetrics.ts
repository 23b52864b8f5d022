import { Context, Layer, Metric } from "effect"
import { PrometheusMetrics } from "effect/observability"

/** Boundaries of the histogram's buckets, in seconds. */
const boundaries = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** The metrics of one server. Labels come from fixed short lists, never from client input. */
const makeRequestMetrics = () => {
  const context = Context.make(Metric.MetricRegistry, new Map())
  const requests = Metric.counter("sov_http_requests_total", {
    description: "Requests answered, by method, route and status"
  })
  const seconds = Metric.histogram("sov_http_request_duration_seconds", {
    description: "Time from the first look at a request to its answer",
    boundaries
  })
  const inFlight = Metric.gauge("sov_http_requests_in_flight", { description: "Requests that are being answered" })
  const memory = Metric.gauge("process_resident_memory_bytes", { description: "Resident memory of the server" })
  const started = Metric.gauge("process_start_time_seconds", { description: "When the server started" })
  /** One counter for each combination of labels, created when first needed. */
  const counters = new Map<string, Metric.Counter<number>>()
  const timers = new Map<string, Metric.Histogram<number>>()
  const once = <A>(made: Map<string, A>, name: string, make: () => A): A => {
    const known = made.get(name)
    if (known !== undefined) return known
    const metric = make()
    made.set(name, metric)
    return metric
  }
  const startedAt = Date.now() / 1000 - process.uptime()
  let running = 0

  return {
    /** Records that a request began. */
    begin: (): void => void running++,
    /** Records that the client disconnected before the response. */
    aborted: (): void => void running--,
    /** Records that the request was answered. */
    end: (method: string, route: string, status: number, ms: number): void => {
      running--
      const counter = once(
        counters,
        `${method} ${route} ${status}`,
        () => Metric.withAttributes(requests, { method, route, status: String(status) })
      )
      counter.updateUnsafe(1, context)
      once(timers, route, () => Metric.withAttributes(seconds, { route })).updateUnsafe(ms / 1000, context)
    },
    /** All metrics in the Prometheus text format. */
    text: (): string => {
      inFlight.updateUnsafe(running, context)
      memory.updateUnsafe(process.memoryUsage.rss(), context)
      started.updateUnsafe(startedAt, context)
      return PrometheusMetrics.formatUnsafe(context)
    }
  }
}

/** Metrics of the server. */
export class RequestMetrics extends Context.Service<RequestMetrics, ReturnType<typeof makeRequestMetrics>>()(
  "@sov/http/middleware/RequestMetrics"
) {
  static readonly layer = Layer.sync(RequestMetrics, makeRequestMetrics)
}
