// Optional enhancements: every page also works without this script.
const all = (selector, root = document) => [...root.querySelectorAll(selector)]

// Shows a scan's row of the chart's table when the pointer or the keyboard selects that scan.
for (const plot of all("figure > .plot")) {
  const rows = all("tbody tr", plot.parentElement).reverse()
  const dots = all(".dot, .fail", plot)
  const cursor = plot.querySelector(".cursor")
  const out = document.createElement("p")
  out.className = "readout small"
  out.textContent = "\u00a0"
  plot.after(out)
  const middle = (dot) => {
    const { width, x } = dot.getBoundingClientRect()
    return x + width / 2
  }
  let nearest = -1
  const show = () => {
    const x = middle(dots[nearest]) - plot.getBoundingClientRect().x
    cursor.setAttribute("x1", x)
    cursor.setAttribute("x2", x)
    cursor.style.visibility = "visible"
    const [scan, share, interval, note] = all("th, td", rows[nearest]).map((cell) => cell.textContent)
    out.textContent = [scan, share, interval && `95 %: ${interval}`, note].filter(Boolean).join(" · ")
  }
  const hide = () => {
    nearest = -1
    cursor.style.visibility = "hidden"
    out.textContent = "\u00a0"
  }
  plot.addEventListener("pointermove", ({ clientX }) => {
    const away = dots.map((dot) => Math.abs(middle(dot) - clientX))
    nearest = away.indexOf(Math.min(...away))
    show()
  })
  plot.addEventListener("pointerleave", hide)
  // Arrow keys move from scan to scan
  if (dots.length === 0) continue
  plot.tabIndex = 0
  out.setAttribute("aria-live", "polite")
  plot.addEventListener("keydown", (event) => {
    const { length } = dots
    const to = {
      ArrowLeft: nearest === -1 ? length - 1 : Math.max(0, nearest - 1),
      ArrowRight: Math.min(length - 1, nearest + 1),
      Home: 0,
      End: length - 1
    }[event.key]
    if (event.key === "Escape") return hide()
    if (to === undefined) return
    event.preventDefault()
    nearest = to
    show()
  })
  plot.addEventListener("blur", hide)
}

// Filters apply as soon as a value is chosen.
for (const form of all("form[data-live]")) {
  form.addEventListener("change", ({ target }) => target.matches("select, [type=checkbox]") && form.requestSubmit())
  form.addEventListener("formdata", ({ formData }) => {
    for (const [name] of [...formData].filter(([, value]) => value === "")) formData.delete(name)
  })
}

for (const button of all("[data-copy]")) {
  button.addEventListener("click", async () => {
    const text = document.getElementById(button.dataset.copy)
    getSelection().selectAllChildren(text)
    try {
      await navigator.clipboard.writeText(text.textContent)
      button.textContent = "Copied"
    } catch {
      // Browsers have no clipboard API on pages loaded over plain http
      button.textContent = "Selected: copy it now"
    }
  })
}

// Updates the page of a running scan with the rows that the server sends.
for (const part of all("[data-events]")) {
  const source = new EventSource(part.dataset.events)
  source.addEventListener("progress", ({ data }) => {
    for (const { done, id, text } of JSON.parse(data)) {
      const row = document.getElementById(id)
      if (row === null) continue
      row.querySelector("progress").value = done
      row.lastElementChild.textContent = text
    }
  })
  source.addEventListener("ended", () => {
    source.close()
    location.reload()
  })
}

// Submits the next request of a long task without a click.
for (const form of all("form[data-go-on]")) form.requestSubmit()

document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return
  if (event.target.matches("input, select, textarea")) return
  const field = document.querySelector(".filters input, .filters select")
  if (field === null) return
  event.preventDefault()
  field.focus()
})
