import { EventData, type EventName, eventNames } from "@sov/core/webhooks"
import { Schema } from "effect"

const makeSchema = (event: EventName) => {
  const { definitions, schema } = Schema.toJsonSchemaDocument(EventData[event])
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: event,
    type: "object",
    additionalProperties: false,
    required: ["event", "organization_id", "timestamp", "data"],
    properties: {
      event: { const: event },
      organization_id: { type: "string", format: "uuid" },
      timestamp: { type: "string", format: "date-time" },
      data: schema
    },
    $defs: definitions
  }
}

/** JSON Schemas (2020-12) of the events' bodies by file name, built from the schemas of their data. */
export const eventSchemas: Readonly<Record<string, string>> = Object.fromEntries(
  eventNames.map((event) => [`webhooks/${event}.json`, `${JSON.stringify(makeSchema(event), undefined, 2)}\n`])
)
