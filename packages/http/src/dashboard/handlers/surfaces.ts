/** The comparison of API and app answers, and the form that adds an answer captured in an app. */
import { importCaptured, readCapturedFile } from "@sov/core/archive"
import { makeFormId, runOnce } from "@sov/core/audit"
import { readSurfaces, surfacesJson } from "@sov/core/scoring"
import { Clock, Effect, Stream } from "effect"
import type { OrganizationRequest } from "../guard/PageRequest.ts"
import { type CapturedForm, type SurfacesContent, surfacesPage } from "../pages/surfaces.ts"
import { readFormId, readTexts } from "./forms.ts"
import { listKeywordChoices } from "./keywordChoices.ts"
import { redirectTo, replyWithPage } from "./replies.ts"

const fields = ["platform", "question", "text", "captured_at", "captured_by", "account"] as const

const makePage = Effect.fnUntraced(function*(
  request: OrganizationRequest,
  given: Partial<Pick<SurfacesContent, "formId" | "input" | "faults" | "imported">> = {}
) {
  const { frame, organization, window } = request
  const found = yield* readSurfaces(organization.id, window).pipe(
    Effect.map(surfacesJson),
    Effect.catchTags({
      NoCompletedScan: () => Effect.succeed("They are compared with a completed scan of real platforms."),
      NotFound: () => Effect.succeed("Add what people saw in an app, here or from a file."),
      Rejected: ({ message }) => Effect.succeed(`${message}.`)
    })
  )
  const at = new Date(yield* Clock.currentTimeMillis)
  const questions = (yield* listKeywordChoices(organization.id, undefined)).map(({ text }) => text)
  return surfacesPage(frame, {
    found,
    simulated: false,
    questions,
    formId: yield* makeFormId,
    input: {
      platform: "",
      question: "",
      text: "",
      captured_at: `${at.toISOString().slice(0, 16)}Z`,
      captured_by: frame.person.name,
      account: ""
    },
    faults: {},
    imported: null,
    ...given
  })
})

/** GET /o/{slug}/surfaces */
export const showSurfaces = (request: OrganizationRequest) => replyWithPage(makePage(request))

/**
 * POST /o/{slug}/surfaces/file: archives the answers of an uploaded file that are not archived yet, as
 * `sov archive import --surface app` does.
 */
export const importCapturedFile = Effect.fnUntraced(function*(request: OrganizationRequest) {
  const bytes = Buffer.concat(yield* Stream.runCollect(request.upload))
  const imported: SurfacesContent["imported"] = bytes.length === 0
    ? "No file was chosen, or it is empty."
    : yield* importCaptured(request.organization.id, readCapturedFile(bytes)).pipe(
      Effect.catchTag("NotReady", () => Effect.succeed("Track a brand first."))
    )
  const isTaken = typeof imported !== "string" && imported.added + imported.existing > 0
  return yield* replyWithPage(makePage(request, { imported }), { status: isTaken ? 200 : 422 })
})

/** POST /o/{slug}/surfaces: archives a captured answer, unless it is already archived. */
export const addCaptured = Effect.fnUntraced(function*(request: OrganizationRequest) {
  const formId = yield* readFormId(request)
  const typed: CapturedForm = readTexts(request, fields)
  const { answers, refused } = readCapturedFile(Buffer.from(JSON.stringify(typed)))
  const add = importCaptured(request.organization.id, { answers, refused })
  const done = yield* runOnce(request.organization.id, formId, add).pipe(
    Effect.catchTags({
      DoneBefore: () => Effect.succeed(null),
      NotReady: () => Effect.succeed({ refused: [{ line: 1, reason: "track a brand first" }] })
    })
  )
  const [fault] = done?.refused ?? []
  if (fault === undefined) return redirectTo(request, "/surfaces", done === null ? "sent-before" : "answer-captured")
  const field = fields.find((name) => fault.reason.includes(name)) ?? "text"
  return yield* replyWithPage(
    makePage(request, { formId: yield* makeFormId, input: typed, faults: { [field]: fault.reason } }),
    {
      status: 422
    }
  )
})
