/** Generates docs/glossary.md, with the words that the dashboard explains. */
import { glossaryEntries } from "@sov/core/common"

/** Maximum characters of a line in the Markdown file. */
const lineLength = 120

/** A paragraph, wrapped into lines of at most `lineLength` characters. */
const wrapped = (text: string): string => {
  const lines = [""]
  for (const word of text.split(" ")) {
    const line = lines.at(-1)!
    if (line !== "" && line.length + 1 + word.length > lineLength) lines.push(word)
    else lines[lines.length - 1] = line === "" ? word : `${line} ${word}`
  }
  return lines.join("\n")
}

export const renderGlossary = (): string =>
  `${
    [
      "# Glossary",
      wrapped(
        "The words of the dashboard, of reports and of these pages. The dashboard has each behind the question mark beside it, and all of them at `/glossary`."
      ),
      ...glossaryEntries.flatMap(([, { meaning, more, term }]) => [
        `## ${term}`,
        wrapped(`${meaning} More: [${more.replace(/\.md$/, "").replaceAll("-", " ")}](${more}).`)
      ])
    ].join("\n\n")
  }\n`
