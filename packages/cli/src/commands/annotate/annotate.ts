/** sov annotate: events, each with its day, that every chart of the share of voice marks. */
import type { AnnotationId } from "@sov/core/common"
import { annotate, annotationJson, listAnnotations, removeAnnotation } from "@sov/core/scoring"
import { printable } from "../../output/Output.ts"
import { runForOrganization } from "../../runtime.ts"
import type { GlobalOptions } from "../../settings/GlobalOptions.ts"

/** Runs `sov annotate DAY TEXT`. */
export const add = (options: GlobalOptions, day: string, text: string) =>
  runForOrganization(options, {}, function*({ out }, organization) {
    const added = yield* annotate(organization.id, { day, text })
    out.result(annotationJson(added), () => `${added.day}: ${printable(added.text)}`)
  })

/** Runs `sov annotate list`. */
export const list = (options: GlobalOptions) =>
  runForOrganization(options, { repeatable: true }, function*({ out }, organization) {
    out.list((yield* listAnnotations(organization.id)).map(annotationJson), [
      { header: "DAY", cell: ({ day }) => day },
      { header: "WHAT HAPPENED", cell: ({ text }) => printable(text) },
      { header: "ID", cell: ({ id }) => id }
    ], { empty: "No annotations yet: sov annotate 2026-11-20 \"New pricing page\"" })
  })

/** Runs `sov annotate remove`. */
export const remove = (options: GlobalOptions, id: string) =>
  runForOrganization(options, {}, function*({ out }, organization) {
    const removed = yield* removeAnnotation(organization.id, id.toLowerCase() as AnnotationId)
    out.result(annotationJson(removed), () => `Removed ${removed.day}: ${printable(removed.text)}`)
  })
