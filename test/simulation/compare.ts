// A world in which nothing is drawn by the order of things runs twice, the second time without what one company does:
// the answers to the others are the same.
import type { Exchange } from './observed.ts'
import type { Program } from './platform/isolate.ts'
import type { Story } from './story.ts'
import { type Broken, type Ended, runWorld } from './world.ts'

const isComparable = ({ interleaving, faults, cast }: Story) =>
  interleaving === 0 && faults.length === 0 && cast.companies.length > 1

/** They tell of all companies. */
const ofAll = new Set(['listCompanies', 'checkHealth', 'checkHealthBriefly'])

export async function runWhole(program: Program, story: Story): Promise<Ended> {
  const ended = await runWorld(program, story)
  if (ended.broken !== null || !isComparable(story)) return ended
  const without = story.seed % story.cast.companies.length
  const id = story.cast.companies[without]?.id as string
  const isLeftOut = ({ company, path }: Exchange) => company === without || path.includes(`/${id}`)
  const { exchanges, rung } = ended.known
  const lendsKey = story.actions.some(({ does }) => does === 'lendKey')
  const textOf = rung.length > 0 ? withoutTimes : withTimes
  const other = await runWorld(program, story, { exchanges, isLeftOut })
  const answers = new Map(other.known.exchanges.map((one) => [one.name, one]))
  const broken = exchanges
    .filter((one) => !isLeftOut(one) && one.company !== null && !ofAll.has(one.operation))
    // A key that is ended in the next call of its dialer is so before other work of that, or after it.
    .filter(({ operation }) => operation !== 'listEvents' || !lendsKey)
    .map((one) => differenceOf([one, answers.get(one.name)], textOf, id))
    .find((found) => found !== null)
  return { ...ended, broken: broken ?? null }
}

function differenceOf(
  [one, other]: readonly [Exchange, Exchange | undefined],
  textOf: typeof withTimes,
  id: string,
): Broken | null {
  const [said, saidAlone] = [one, other].map((each) => textOf(each))
  if (said === saidAlone) return null
  const says = `${one.operation} is answered otherwise where ${id} does nothing:\n${said}\n${saidAlone}`
  return { promise: 'each to his own', says, action: one.action }
}

/**
 * A provider counts its calls over all companies, and a bookmark names a state of a store. Uses of keys, and when
 * members were seen, are written for all companies together. A store that is written to works within a minute: when it
 * raises and sends an alert, or ends a lease that has run out.
 */
const withTimes = (one: Exchange | undefined) =>
  `${one?.answer?.status} ${JSON.stringify(one?.answer?.body)}`
    .replace(/"p\d+"/g, '"p"')
    .replace(/"refused":\{[^}]*\}/g, '"refused"')
    .replace(/"received":\{[^}]*\}/g, '"received"')
    .replace(/"undoBookmark":"\d+"/g, '"undoBookmark":""')
    .replace(/"lastUsedAt":(?:"[^"]+"|null),"requests":\d+/g, '"lastUsedAt":""')
    .replace(/"lastSeenAt":(?:"[^"]+"|null)/g, '"lastSeenAt":""')
    .replace(/("type":"alert\.[a-z]+","timestamp":|"(?:time|since)":)"[^"]+"/g, '$1""')
    .replace(/("timestamp":)"[^"]+"(,"actor":"system")/g, '$1""$2')

/**
 * A store that works wakes its dialers, so that rounds begin seconds sooner or later: before or after an agent who
 * waits for the same lead. An id begins with its time.
 */
const withoutTimes = (one: Exchange | undefined) =>
  withTimes(one)
    .replace(/"queue":\{[^}]*\}/g, '"queue"')
    .replace(/"\d{4}-\d\d-\d\dT[\d:.]+Z"/g, '"time"')
    .replace(/"[0-9a-f]{12}[0-9A-Za-z]{24}"/g, '"id"')
