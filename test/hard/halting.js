// A company's own store whose calls of D1 stop for ever at one of them, before it is made or once it has been answered:
// so that a test can kill workerd at each step of a move. Says in a table of D1 at which step it stands. Runs inside
// workerd, around the built Worker (server.ts), so it is JavaScript.

export const halting = (Store) =>
  class extends Store {
    constructor(ctx, env) {
      super(ctx, { ...env, DB: haltingDatabase(env.DB, JSON.parse(env.HALT)) })
    }
  }

/** `call` counts from 1. `life` says which start of workerd it is. */
function haltingDatabase(db, { life, call, isAfter }) {
  const texts = new WeakMap()
  let calls = 0
  const halt = async (statements) => {
    const step = `${isAfter ? 'after' : 'before'} ${stepOf(texts.get(statements[0]))}`
    await db.prepare('insert into halted (life, step) values (?1, ?2)').bind(life, step).run()
    await new Promise(() => {})
  }
  const remember = (statement, text) => {
    const bind = statement.bind.bind(statement)
    statement.bind = (...values) => remember(bind(...values), text)
    texts.set(statement, text)
    return statement
  }
  return {
    prepare: (text) => remember(db.prepare(text), text),
    async batch(statements) {
      const isIt = ++calls === call
      if (isIt && !isAfter) await halt(statements)
      const results = await db.batch(statements)
      if (isIt) await halt(statements)
      return results
    },
  }
}

const stepOf = (text = '') => {
  const [, verb = '', table = ''] = /\b(insert into|update|delete from|from) (\w+)/.exec(text) ?? []
  return `${verb === 'from' ? 'reading' : verb} ${table}`
}
