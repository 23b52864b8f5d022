/** The two Postgres drivers that sov is compared with, each with a pool of ten connections and prepared statements. */
import pg from "pg"
import postgres from "postgres"
import type { Driver, Row, Statement } from "./operations.ts"

const connections = 10

export const postgresJs = (url: string): Driver => {
  const sql = postgres(url, { max: connections, onnotice: () => undefined })
  const on = (client: Pick<typeof sql, "unsafe">): Driver["query"] => (statement, values) =>
    client.unsafe(statement.text, [...values] as Array<string>, { prepare: true }) as unknown as Promise<Array<Row>>
  return {
    query: on(sql),
    transaction: (work) => sql.begin((client) => work(on(client))) as Promise<never>
  }
}

export const nodePostgres = (url: string): Driver => {
  const pool = new pg.Pool({ connectionString: url, max: connections })
  const on = (client: Pick<pg.Pool, "query">) => async ({ name, text }: Statement, values: ReadonlyArray<unknown>) =>
    (await client.query<Row>({ name, text, values: [...values] })).rows
  return {
    query: on(pool),
    transaction: async (work) => {
      const client = await pool.connect()
      try {
        await client.query("begin")
        const result = await work(on(client as never))
        await client.query("commit")
        return result
      } catch (error) {
        await client.query("rollback")
        throw error
      } finally {
        client.release()
      }
    }
  }
}
