/** The sources of answers that `answerTo` creates, in the format in which the MCP tools return them. */
export const seededSources = {
  ofAnswer: [
    { kind: "cited", url: "https://www.acmeforge.example/a?utm_source=x", title: "Anvils \u{1F6E0}" },
    { kind: "retrieved", url: "https://globex.example/", title: null }
  ],
  /** The summary of four answers that all name the brand. */
  summary: {
    grounded_answers: 4,
    search_rate: 100,
    own_citation_rate: 100,
    named_not_cited: 0,
    cited_not_named: 0,
    domains: [{ domain: "acmeforge.example", answers: 4, share: 100, owner: "you" }],
    not_listed: 0,
    gaps: []
  }
}
