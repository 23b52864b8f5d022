/** Handles a request for one route: admits it, runs the handler, sends the reply, and turns refusals into pages. */
import { CurrentActor } from "@sov/core/audit"
import { defaultPlace, monotonicMs, type Place } from "@sov/core/common"
import { actorOfSession } from "@sov/core/people"
import { Cause, Effect, Exit, Option, Schedule } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { RequestInfo } from "../../middleware/RequestInfo.ts"
import type { Stopping } from "../../middleware/Stopping.ts"
import { parsePath } from "../../routes.ts"
import { CurrentPlace } from "../charts/numbers.ts"
import type { Frame } from "../pages/Frame.ts"
import type { PageError, PageServices, Route } from "../routes.ts"
import { admit, enterOrganization, readForm } from "./admit.ts"
import { setCookies } from "./cookies.ts"
import type { Guard } from "./Guard.ts"
import { findMembership, makeFrame } from "./makeFrame.ts"
import { PageRefused } from "./PageRefused.ts"
import type { PageRequest } from "./PageRequest.ts"
import { originOnlyReferrer, respondWith } from "./pages.ts"
import { readSeparator } from "./place.ts"
import { readUpload } from "./readUpload.ts"
import { redirectToSignIn } from "./redirectToSignIn.ts"
import type { CookieChanges, PageReply } from "./Reply.ts"
import { showError } from "./showError.ts"

/** How often an event stream checks that its reader may still see it. */
const recheckInterval = "5 seconds"

const callHandler = Effect.fnUntraced(function*(guard: Guard, route: Route, request: PageRequest) {
  if (route.least === "anybody") return yield* route.handle(request)
  const { visitor } = request
  if (visitor === null) {
    const { method, url } = yield* HttpServerRequest.HttpServerRequest
    if (request.form.size > 0) return yield* new PageRefused({ status: 401, words: null })
    return redirectToSignIn(method === "GET" || method === "HEAD" ? url : null)
  }
  const actor = actorOfSession(visitor)
  if (route.least === "person") {
    return yield* Effect.provideService(route.handle({ ...request, visitor }), CurrentActor, actor)
  }
  const entered = yield* enterOrganization(guard, { ...request, visitor }, route.least)
  const known = { ...actor, name: entered.frame.person.name }
  return yield* Effect.provideService(route.handle(entered), CurrentActor, known)
})

type ReaderServices = Effect.Services<ReturnType<typeof admit>>

/** Completes when the reader of a stream loses access. */
const awaitAccessEnd = (guard: Guard, { least }: Route): Effect.Effect<void, never, ReaderServices> => {
  if (least === "anybody") return Effect.never
  const check = Effect.gen(function*() {
    const request = yield* admit(guard, guard.clientNetwork(yield* HttpServerRequest.HttpServerRequest))
    const { visitor } = request
    if (visitor === null) return yield* new PageRefused({ status: 403, words: null })
    if (least !== "person") yield* enterOrganization(guard, { ...request, visitor }, least)
  })
  return check.pipe(Effect.repeat(Schedule.spaced(recheckInterval)), Effect.ignore)
}

/** The cookies to set: those of the reply, and the organization that was opened last. */
const changesOf = (reply: PageReply<PageServices>, route: Route, request: PageRequest): CookieChanges => {
  const said = reply._tag === "Page" || reply._tag === "SeeOther" ? reply.cookies : {}
  const slug = request.params["slug"]
  const isNew = reply._tag === "Page" && route.path.startsWith("/o/") && slug !== undefined &&
    slug !== request.lastOrganization
  return isNew ? { organization: slug, ...said } : said
}

const tooOften = new PageRefused({ status: 429, words: null })

/** Whether a sign-in was refused. An unavailable issuer does not count against the visitor. */
const isRefusal = (reply: PageReply<PageServices>): boolean =>
  reply._tag === "Page" && reply.status >= 400 && reply.status < 500

/**
 * Whether an attempt counts as a wrong token: its link was refused, or the client disconnected before the token was
 * looked up.
 */
const isWrong = (cause: Cause.Cause<unknown>): boolean =>
  Cause.hasInterrupts(cause) ||
  Option.exists(Cause.findErrorOption(cause), (error) => error instanceof PageRefused && error.status === 410)

/** Refuses a network that has exceeded a limit. */
const limited = <E extends { readonly _tag: string }, R>(
  { throttle }: Guard,
  route: Route,
  network: string,
  effect: Effect.Effect<PageReply<PageServices>, E, R>,
  isTokenKnown: () => boolean
): Effect.Effect<PageReply<PageServices>, E | PageRefused, R> =>
  Effect.gen(function*() {
    const at = yield* monotonicMs
    if (route.limit === "mails" && !throttle.mayAskForMail(network, at)) return yield* tooOften
    if (route.limit !== "links" && route.limit !== "identities") return yield* effect
    if (!throttle.begin(network, at)) return yield* tooOften
    return yield* Effect.onExit(effect, (exit) => {
      const wasWrong = Exit.isSuccess(exit)
        ? route.limit === "identities" && isRefusal(exit.value)
        : !isTokenKnown() && isWrong(exit.cause)
      return Effect.map(monotonicMs, (then) => throttle.end(network, then, wasWrong))
    })
  })

/** Turns an error into a refusal. Permanent database errors are only written to the server's log. */
const refusalOf = (error: PageError): Effect.Effect<PageRefused> => {
  switch (error._tag) {
    case "PageRefused":
      return Effect.succeed(error)
    case "NotFound":
      return Effect.succeed(new PageRefused({ status: 404, words: null }))
    case "OutsideWindow":
      return Effect.succeed(
        new PageRefused({
          status: 403,
          words: `This is older than your plan shows: it shows data since ${error.since.toISOString().slice(0, 10)}. ` +
            "The data is kept, and a plan with a longer history shows it again."
        })
      )
    case "BadCursor":
      return Effect.succeed(
        new PageRefused({ status: 400, words: "This page of the list is no longer valid. Go back to the first page." })
      )
    case "Rejected":
      return Effect.succeed(new PageRefused({ status: 422, words: error.message }))
    case "StoreError":
      return error.retryable ? Effect.succeed(new PageRefused({ status: 503, words: null })) : Effect.die(error)
  }
}

/** Longer than each platform's default deadline. */
const platformTimeoutMs = 150_000

const retryAfter: { readonly [status: number]: string } = { 429: "60", 503: "2" }

/** What an error page can show in addition, once it is known. */
interface Known {
  frame: Frame | null
  place: Place
}

/** Handles a request, or fails with the refusal to show. `known` is filled once the member is known. */
const answerWith = (guard: Guard, stopping: Stopping["Service"], route: Route, known: Known) =>
  Effect.gen(function*() {
    const network = guard.clientNetwork(yield* HttpServerRequest.HttpServerRequest)
    const admitted = yield* admit(guard, network, route.fromAnywhere)
    known.frame = frameOf(guard, admitted)
    known.place = admitted.place
    const separator = yield* readSeparator(admitted.query, admitted.chosen)
    const sent = route.upload === true
      ? { upload: readUpload(yield* HttpServerRequest.HttpServerRequest) }
      // RFC 8058 allows mail programs to send multipart forms
      : { form: route.fromAnywhere === true ? new URLSearchParams() : yield* readForm }
    let isTokenKnown = false
    const tokenIsKnown = () => {
      isTokenKnown = true
    }
    const request = { ...admitted, ...sent, tokenIsKnown }
    const called = Effect.provideService(callHandler(guard, route, request), CurrentPlace, request.place)
    const reply: PageReply<PageServices> = yield* limited(guard, route, network, called, () => isTokenKnown)
    const readerServices = yield* Effect.context<ReaderServices>()
    const accessEnds = Effect.provideContext(awaitAccessEnd(guard, route), readerServices)
    const response = yield* respondWith(reply, Effect.raceFirst(stopping.begun, accessEnds), separator).pipe(
      Effect.provideService(CurrentPlace, request.place)
    )
    return setCookies(guard.cookies, response, changesOf(reply, route, request))
  }).pipe(
    Effect.timeoutOrElse({
      duration: route.waits === true ? platformTimeoutMs : guard.timeoutMs,
      orElse: () => Effect.fail(new PageRefused({ status: 503, words: null }))
    }),
    Effect.catch((error: PageError) => Effect.flip(refusalOf(error)))
  )

/** The frame of the organization in the path, for its members. */
const frameOf = (guard: Guard, { at, params, theme, visitor }: PageRequest): Frame | null => {
  const membership = visitor === null ? undefined : findMembership(visitor, params["slug"])
  return visitor === null || membership === undefined
    ? null
    : makeFrame(guard, visitor, membership, { at, theme, done: null })
}

/**
 * The fields of a form whose request failed because the database did not answer or the session had ended. The error
 * page offers to send them again; null if that is impossible.
 */
const keepForm = Effect.fnUntraced(function*({ method, upload }: Route, { status }: PageRefused) {
  if ((status !== 503 && status !== 401) || method !== "POST" || upload === true) return null
  const { url } = yield* HttpServerRequest.HttpServerRequest
  const fields = yield* Effect.orElseSucceed(readForm, () => null)
  return fields === null ? null : { path: parsePath(url) as `/${string}`, fields: [...fields] }
})

const showRefused = Effect.fnUntraced(function*(guard: Guard, route: Route, refused: PageRefused, frame: Frame | null) {
  const { status, words } = refused
  const { id: requestId } = yield* RequestInfo
  const response = yield* showError(guard, { status, words, requestId, frame, kept: yield* keepForm(route, refused) })
  const wait = retryAfter[status]
  return HttpServerResponse.setHeaders(response, {
    ...wait === undefined ? {} : { "retry-after": wait },
    ...route.limit === "links" ? originOnlyReferrer : {}
  })
})

/** Returns the effect that handles requests for a route. */
export const answer = (guard: Guard, stopping: Stopping["Service"], route: Route) =>
  Effect.suspend(() => {
    const known: Known = { frame: null, place: defaultPlace }
    return answerWith(guard, stopping, route, known).pipe(
      Effect.catch((refused) =>
        Effect.provideService(showRefused(guard, route, refused, known.frame), CurrentPlace, known.place)
      )
    )
  })
