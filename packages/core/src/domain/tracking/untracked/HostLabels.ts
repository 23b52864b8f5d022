/** Hosts in addresses of answers: "wellsfargo.com" tells that a name has two words. */

const address = /https?:\/\/(?:www\.)?([a-z0-9-]{2,60})\.[a-z]{2,}/gi
const maxHosts = 50_000
const maxPerAnswer = 200

/** Collects the labels of hosts, without their hyphens, up to 50,000. */
export class HostLabels {
  private readonly labels = new Set<string>()

  add(text: string): void {
    if (!text.includes("://")) return
    let added = 0
    for (const [, label] of text.matchAll(address)) {
      if (this.labels.size >= maxHosts || added++ >= maxPerAnswer) return
      this.labels.add(label!.toLowerCase().replaceAll("-", ""))
    }
  }

  has(label: string): boolean {
    return this.labels.has(label)
  }
}
