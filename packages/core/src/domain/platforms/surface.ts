/** Whose view an answer is: that of a company's API, or of its app; null for made-up and recorded answers. */
export const surfaceOf = (adapter: string): "api" | "app" | null =>
  adapter === "dataforseo" ? "app" : adapter === "simulated" || adapter === "recorded" ? null : "api"
