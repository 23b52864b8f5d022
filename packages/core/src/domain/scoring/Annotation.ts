/** A note of an organization about an event of a day, such as a release or a campaign. */
import { Schema } from "effect"
import { dateBound } from "../dateBound.ts"
import { AnnotationId } from "../ids.ts"
import { Name } from "../organizations/Organization.ts"

/** A note on a day of the trend. Breaks of a series need no note: the program finds them itself. */
export const Annotation = Schema.Struct({
  id: AnnotationId,
  /** `YYYY-MM-DD`, UTC. */
  day: Schema.String,
  text: Schema.String,
  createdAt: Schema.Date
})
export type Annotation = typeof Annotation.Type

/** Maximum length of a text in UTF-16 code units, and maximum number of annotations of an organization. */
export const maxAnnotationText = 120
export const maxAnnotations = 1000

/** Whether the text is an existing day in the format of `Annotation.day`. */
export const isDay = (text: string): boolean => /^\d{4}-\d\d-\d\d$/.test(text) && dateBound(text, "from") !== null

const isName = Schema.is(Name)

/** Whether the text is valid for an annotation: one line without control characters or outer spaces. */
export const isAnnotationText = (text: string): boolean => isName(text) && text.length <= maxAnnotationText
