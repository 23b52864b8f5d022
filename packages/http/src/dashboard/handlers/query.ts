/** Reading what the query of an address says. */
import { to } from "../Address.ts"
import { PageRefused } from "../guard/PageRefused.ts"
import type { PageRequest } from "../guard/PageRequest.ts"
import { type Reply, seeOther } from "../guard/Reply.ts"

/** Answers a form whose empty fields were sent, too, with the address without them; null where none is empty. */
export const withoutEmptyFields = ({ query }: Pick<PageRequest, "query">, path: `/${string}`): Reply | null => {
  if (![...query.values()].includes("")) return null
  const given = new Set(query.keys())
  return seeOther(to(path, Object.fromEntries([...given].map((name) => [name, query.getAll(name).filter(Boolean)]))))
}

/** A value that the query may not have. */
export const refusedFilter = (name: string): PageRefused =>
  new PageRefused({ status: 400, words: `The filter “${name}” cannot have this value. Take it out of the address.` })
