// The answers to all cases of the catalogue. Those of an endpoint are asked for once in a file, however many of its tests
// judge them.
import type { Answer } from '../api.ts'
import { sideBySide } from '../side-by-side.ts'
import { seedWorld } from '../world.ts'
import { type Case, casesElsewhere, casesOf } from './cases.ts'
import { endpoints } from './catalogue.ts'

export type Answered = Case & { readonly answer: Answer; readonly answeredAtMs: number }

const groups: readonly (readonly Case[])[] = [...endpoints.map(({ name }) => casesOf(name)), casesElsewhere]
export const allCases: readonly Case[] = groups.flat()

const askedFor = new Map<readonly Case[], Promise<readonly Answered[]>>()

/** The answer to a case. It is asked for once, with all of its endpoint, side by side. The clock must be the real one. */
export async function answerTo(one: Case): Promise<Answered> {
  const group = groups.find((cases) => cases.includes(one)) as readonly Case[]
  const answers = askedFor.get(group) ?? answersTo(group)
  askedFor.set(group, answers)
  return (await answers)[group.indexOf(one)] as Answered
}

async function answersTo(cases: readonly Case[]): Promise<Answered[]> {
  const world = await seedWorld()
  return sideBySide(cases, async (one) => ({
    ...one,
    answer: await one.ask(world),
    answeredAtMs: Date.now(),
  }))
}
