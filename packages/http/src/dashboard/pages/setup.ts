/**
 * The first step of setting up an installation in the browser: a brand, its competitors, and the questions of buyers.
 */
import { maxNameLength } from "@sov/core/organizations"
import { to } from "../Address.ts"
import { type Html, html } from "../html.ts"
import { type Faults, linesField, refusedNote, textField } from "./forms.ts"
import type { Theme } from "./Frame.ts"
import { bareLayout } from "./layout.ts"

export const setupFields = ["brand", "aliases", "domains", "competitors", "keywords"] as const
export type SetupField = typeof setupFields[number]

/** The typed text of each field. */
export type TypedSetup = { readonly [field in SetupField]: string }

export const emptySetup: TypedSetup = { brand: "", aliases: "", domains: "", competitors: "", keywords: "" }

export const setupPage = (typed: TypedSetup, faults: Faults<SetupField>, theme: Theme | null): Html =>
  bareLayout(
    "Set up",
    html`<h1>Set up share of voice</h1><p>Step 1 of 6. You can change everything later. The next steps are platforms, the first scan, alerts and a schedule.</p>${
      refusedNote(faults)
    }<form class="fields" method="post" action="${to("/setup")}">${
      textField({
        name: "brand",
        label: "Your brand",
        hint: "As people write it. The organization gets the same name.",
        required: true,
        maxLength: maxNameLength,
        value: typed.brand,
        fault: faults.brand
      })
    }${
      linesField({
        name: "aliases",
        label: "Other names",
        hint: "One per line: abbreviations, former names. Optional.",
        value: typed.aliases,
        fault: faults.aliases
      })
    }${
      linesField({
        name: "domains",
        label: "Domains",
        hint: "One per line, such as acme.com.",
        value: typed.domains,
        fault: faults.domains
      })
    }${
      linesField({
        name: "competitors",
        label: "Competitors",
        hint: "One per line. sov looks for their names in answers too.",
        value: typed.competitors,
        fault: faults.competitors
      })
    }${
      linesField({
        name: "keywords",
        label: "What buyers ask",
        hint:
          "One question per line, as a buyer would ask it. Questions on two or more topics give the share an interval.",
        value: typed.keywords,
        fault: faults.keywords
      })
    }<div class="actions"><button class="primary">Set up</button></div></form>`,
    { theme }
  )
