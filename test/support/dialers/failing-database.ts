// A database that refuses batches, chosen by the text of their statements and the values in them.
import { companyDb } from '../database/store.ts'

/** `messageFor`: the error of a batch of these texts. Null: it is run. */
export function failingDatabase(messageFor: (texts: string) => string | null): D1Database {
  const texts = new WeakMap<object, string>()
  const prepare = (query: string) => {
    const statement = companyDb.prepare(query)
    const bind = (...bound: unknown[]) => {
      const made = statement.bind(...bound)
      texts.set(made, `${query} ${bound.join(' ')}`)
      return made
    }
    return { bind }
  }
  const batch = async (statements: D1PreparedStatement[]) => {
    const message = messageFor(statements.map((one) => texts.get(one)).join('\n'))
    if (message !== null) throw new Error(message)
    return companyDb.batch(statements)
  }
  return { prepare, batch } as unknown as D1Database
}

export const isWriting = (texts: string) => /\b(insert into|update|delete from)\b/i.test(texts)
