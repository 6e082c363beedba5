// The answers to all cases of the catalogue, and the statements that the database was sent meanwhile. Those of an
// endpoint are asked for once, however many rules judge them.

import { watchedDatabase } from '../database/database.ts'
import { isOfD1 } from '../database/store.ts'
import type { Answer } from '../http/api.ts'
import { sideBySide } from '../http/side-by-side.ts'
import { seedWorld } from '../world.ts'
import { type Case, casesElsewhere, casesOf } from './cases.ts'
import { endpoints } from './catalogue.ts'
import type { Endpoint } from './endpoint.ts'

export type Answered = Case & {
  readonly answer: Answer
  readonly answeredAtMs: number
  /** Of cases that bring a database of their own, none. */
  readonly statements: readonly { readonly sql: string; readonly rowsChanged: number }[]
}

/** Those of the operator act on D1. */
export const isAsked = ({ isForOperator }: Endpoint) => !(isForOperator && isOfD1('directory'))

const groups = [...endpoints.filter(isAsked).map(({ name }) => casesOf(name)), casesElsewhere]
export const allCases: readonly Case[] = groups.flat()

const askedFor = new Map<readonly Case[], Promise<readonly Answered[]>>()

/** The answer to a case. It is requested once, with all cases of its endpoint, side by side. */
export async function answerTo(one: Case): Promise<Answered> {
  const group = groups.find((cases) => cases.includes(one)) as readonly Case[]
  return (await answersTo(group))[group.indexOf(one)] as Answered
}

/** The same of all of an endpoint's cases. */
export function answersOf(endpoint: string): Promise<readonly Answered[]> {
  return answersTo(casesOf(endpoint))
}

function answersTo(cases: readonly Case[]): Promise<readonly Answered[]> {
  const answers = askedFor.get(cases) ?? ask(cases)
  askedFor.set(cases, answers)
  return answers
}

async function ask(cases: readonly Case[]): Promise<Answered[]> {
  const world = await seedWorld()
  return sideBySide(cases, async (one) => {
    const { DB, trips } = watchedDatabase()
    const answer = await one.ask(world, { DB })
    const statements = trips.flatMap(({ statements, results }) =>
      statements.map(({ sql }, i) => ({ sql, rowsChanged: results[i]?.meta.changes ?? 0 })),
    )
    return { ...one, answer, answeredAtMs: Date.now(), statements }
  })
}
