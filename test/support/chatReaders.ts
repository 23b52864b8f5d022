/**
 * Reads message bodies as the chat services would: returns the visible text and the links. Each reader follows the
 * manual of its service, and throws if the service would refuse the body or would find a mention or markup in it.
 */
import type { KnownBlock, MrkdwnElement, PlainTextElement } from "@slack/types"
import type { makeDiscordBody, makeSlackBody, makeTeamsBody } from "@sov/core"
import type { RESTPostAPIWebhookWithTokenJSONBody } from "discord-api-types/v10"
import assert from "node:assert/strict"
import { createRequire } from "node:module"

// Its separate modules import each other in a way that only bundlers resolve; this file contains all of them
const AdaptiveCards: typeof import("adaptivecards") = createRequire(import.meta.url)(
  "adaptivecards/dist/adaptivecards.js"
)

/** What people see: each text separately, and the addresses that they can open. */
export interface Shown {
  readonly texts: ReadonlyArray<string>
  readonly links: ReadonlyArray<string>
}

/** Character that keeps a client from reading text as an address or a date. */
const joiner = /\u2060/g

const checkText = (text: string, max: number): void => {
  assert.ok(text.length >= 1 && text.length <= max, `1 to ${max} characters, not ${text.length}`)
  assert.ok(text.isWellFormed(), "no half of a character")
  // oxlint-disable-next-line no-control-regex -- these are what is looked for
  assert.doesNotMatch(text, /[\u0000-\u001F\u007F\u202A-\u202E]/, "one line, in its own reading direction")
}

const readPlain = ({ emoji, text, type }: PlainTextElement, max: number): string => {
  assert.equal(type, "plain_text")
  assert.equal(emoji, false, "no emoji from :names:")
  checkText(text, max)
  assert.doesNotMatch(text, /[<>]|&(?!(?:amp|lt|gt);)/, "control characters are escaped")
  assert.doesNotMatch(text, /:\/\//, "no address that a client could make a link of")
  return text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&").replaceAll(joiner, "")
}

const readSlackLink = ({ text, type, verbatim }: MrkdwnElement): string => {
  assert.deepEqual([type, verbatim], ["mrkdwn", true])
  return /^<([^<>|\s]+)\|Open in the dashboard>$/.exec(text)![1]!
}

/** Follows https://docs.slack.dev/reference/block-kit/blocks, and "Escaping text" in Slack's manual. */
export const readSlack = (body: ReturnType<typeof makeSlackBody>): Shown => {
  const blocks: ReadonlyArray<KnownBlock> = body.blocks
  assert.ok(blocks.length <= 50)
  assert.deepEqual([body.parse, body.unfurl_links, body.unfurl_media], ["none", false, false])
  const [texts, links]: [Array<string>, Array<string>] = [[], []]
  texts.push(readPlain({ type: "plain_text", emoji: false, text: body.text }, 4_000))
  for (const block of blocks) {
    if (block.type === "header") texts.push(readPlain(block.text, 150))
    else if (block.type !== "section") assert.fail(`block ${block.type}`)
    else if (block.fields !== undefined) {
      assert.ok(block.fields.length <= 10)
      for (const field of block.fields) texts.push(readPlain(field as PlainTextElement, 2_000))
    } else if (block.text?.type === "plain_text") texts.push(readPlain(block.text, 3_000))
    else links.push(readSlackLink(block.text!))
  }
  return { texts, links }
}

/**
 * Throws unless everything with a meaning in Discord's Markdown is escaped, and everything that begins a mention, an
 * emoji or an address.
 */
const readDiscordText = (text: string, max: number): string => {
  checkText(text, max)
  const plain = text.replaceAll(/\\[^0-9A-Za-z\s]/g, "")
  assert.doesNotMatch(plain, /[\\`*_~|<>[\]()#@:/]/, "marks are escaped")
  assert.doesNotMatch(plain, /^(?:[-+]|\d+\.) /, "no list")
  return text.replaceAll(/\\([^0-9A-Za-z\s])/g, "$1")
}

/** Follows https://discord.com/developers/docs/resources/message#embed-object-embed-limits. */
export const readDiscord = (made: ReturnType<typeof makeDiscordBody>): Shown => {
  const body: RESTPostAPIWebhookWithTokenJSONBody = made
  assert.deepEqual(body.allowed_mentions, { parse: [] })
  assert.equal(body.content, undefined)
  const [embed, ...others] = body.embeds!
  assert.deepEqual(others, [])
  assert.equal(embed!.url, undefined)
  const { description = "–", fields = [], title } = embed!
  assert.ok(description.length <= 4_096 && fields.length <= 25)
  const parts = description.split("\n\n")
  const link = /^\[Open in the dashboard\]\(([^()\s]+)\)$/.exec(parts.at(-1)!)
  const texts = [
    readDiscordText(title!, 256),
    ...fields.flatMap(({ name, value }) => [readDiscordText(name, 256), readDiscordText(value, 1_024)]),
    ...(link === null ? parts : parts.slice(0, -1)).map((part) => readDiscordText(part, 4_096))
  ]
  assert.ok(JSON.stringify(embed).length <= 6_000 + 200 * (fields.length + 2), "6000 characters in all")
  assert.ok(title!.length + description.length + fields.map((f) => f.name + f.value).join("").length <= 6_000)
  return { texts, links: link === null ? [] : [link[1]!] }
}

interface Run {
  readonly type: string
  readonly text: string
}

/** Reads a card with Microsoft's own library, which reports unknown or invalid parts. */
export const readTeams = (body: ReturnType<typeof makeTeamsBody>): Shown => {
  assert.ok(Buffer.byteLength(JSON.stringify(body)) <= 28_000, "28 KB in all")
  assert.equal(body.type, "message")
  const [{ content, contentType }, ...others] = body.attachments as [typeof body.attachments[number]]
  assert.deepEqual([others, contentType], [[], "application/vnd.microsoft.card.adaptive"])
  const context = new AdaptiveCards.SerializationContext(AdaptiveCards.Versions.v1_2)
  const card = new AdaptiveCards.AdaptiveCard()
  card.parse(content, context)
  const faults = Array.from({ length: context.eventCount }, (_, i) => context.getEventAt(i).message)
  assert.deepEqual([faults, card.validateProperties().validationEvents], [[], []])
  const parsed = JSON.parse(JSON.stringify(card.toJSON())) as {
    readonly body: ReadonlyArray<{ readonly type: string; readonly inlines: ReadonlyArray<Run> }>
    readonly actions?: ReadonlyArray<{ readonly type: string; readonly url: string }>
  }
  assert.deepEqual(parsed, content, "every member is one of the format")
  const texts = parsed.body.flatMap(({ inlines, type }) => {
    assert.equal(type, "RichTextBlock", "no text block, which would read Markdown")
    return inlines.map((run) => {
      assert.equal(run.type, "TextRun")
      checkText(run.text, 4_000)
      assert.doesNotMatch(run.text, /:\/\/|\{\{|\$\{|<\/?at\b/i, "no address, date, template or mention")
      return run.text.replaceAll(joiner, "")
    })
  })
  const actions = parsed.actions ?? []
  assert.ok(actions.every(({ type }) => type === "Action.OpenUrl"))
  return { texts, links: actions.map(({ url }) => url) }
}
