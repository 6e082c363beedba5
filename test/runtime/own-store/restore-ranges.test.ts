// What a restore keeps is in values of an object and in parameters of statements, of which the platform takes 2 MB
// each. The local one takes more, so the test looks at their sizes.
import { runInDurableObject } from 'cloudflare:test'
import { beforeEach, expect, it, vi } from 'vitest'
import { nameBeside } from '../../../src/base/database/company-store.ts'
import type { CompanyStore } from '../../../src/control/companies/company-object.ts'
import { firstKept, type KeptRows } from '../../../src/control/companies/keep-rows.ts'
import {
  type Beside,
  keepNext,
  type RestoreState,
  writeNext,
} from '../../../src/control/companies/restore-store.ts'
import { type OwnCompany, seedCompanyIn } from '../../support/companies/own-company.ts'
import { addLead, claim, objectOf } from '../../support/companies/restoring.ts'
import { newPhone } from '../../support/database/seed.ts'

const platformBytes = 2_000_000

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2036, 0, 16, 12) }))

const readingOf = ({ companyId }: OwnCompany, toMs: number): RestoreState => ({
  ...{ id: '', companyId, toMs, bookmark: '', undoBookmark: '' },
  ...{ phase: 'reading', place: firstKept, kept: 0, written: 0 },
})

/** As the platform stores it: two bytes a character where any is not of Latin-1. */
const storedBytes = (text: string) =>
  [...text].some((one) => (one.codePointAt(0) ?? 0) > 255) ? 2 * text.length : text.length

/** An object beside the store, and the sizes of what it has stored. */
function watchedBeside() {
  const kept: KeptRows[] = []
  const beside: Beside = {
    readRestore: async () => null,
    writeRestore: async (_, some) => void (some && kept.push(some)),
    readKept: async (index) => kept[index] as KeptRows,
  }
  const sizes = () => kept.map(({ rows }) => rows.reduce((sum, row) => sum + storedBytes(row), 0))
  return { beside, sizes, kept }
}

function watchedDb(db: D1Database) {
  const bound: number[] = []
  const prepare = (text: string) => {
    const made = db.prepare(text)
    const bind = (...values: unknown[]) => {
      for (const value of values) if (typeof value === 'string') bound.push(Buffer.byteLength(value))
      return made.bind(...values)
    }
    return { bind }
  }
  const batch = (statements: D1PreparedStatement[]) => db.batch(statements)
  return { bound, own: { prepare, batch } as unknown as D1Database }
}

/** Rows of a table, each with the longest texts that are taken. */
async function storeConsents({ ask }: OwnCompany, numbers: readonly string[]) {
  const long = (chars: number) => 'ż'.repeat(chars)
  for (let first = 0; first < numbers.length; first += 50)
    await ask('POST', '/api/v1/consents', {
      consents: numbers.slice(first, first + 50).map((phoneNumber) => ({
        ...{ phoneNumber, purpose: 'offers', text: 'I agree.' },
        givenAt: new Date(Date.now()).toISOString(),
        source: { url: `https://example.com/?gclid=${long(900)}`, userAgent: long(250) },
        certificateUrl: `https://cert.example.com/${long(600)}`,
      })),
    })
}

it('No value and no parameter of a restore is larger than the platform takes, and all rows are written again', async () => {
  const [company, foreign] = [await seedCompanyIn('own'), await seedCompanyIn('own')]
  const toMs = Date.now()
  const numbers = Array.from({ length: 1_000 }, newPhone)
  await storeConsents(company, numbers)
  await storeConsents(foreign, numbers.slice(0, 50))
  await addLead(company)
  await claim(company)
  const count = ({ db }: OwnCompany) => db.prepare('select count(*) as n from consents').first<number>('n')

  const { beside, sizes, kept } = watchedBeside()
  const { own, bound } = watchedDb(company.db)
  const sides = { beside, own, pepper: 'pepper' }
  let state = readingOf(company, toMs)
  while (state.place !== null) state = await keepNext(sides, state)
  expect(Math.max(...sizes())).toBeLessThan(platformBytes)
  const consents = kept.filter(({ table }) => table === 'consents')
  expect(consents.length).toBeGreaterThan(1)
  expect(consents.flatMap(({ rows }) => rows)).toHaveLength(numbers.length)

  await company.db.prepare('delete from consents').run()
  while (state.written < state.kept) state = await writeNext(sides, state)
  expect(await count(company)).toBe(numbers.length)
  expect(await count(foreign)).toBe(50)
  expect(Math.max(...bound)).toBeLessThan(platformBytes)
})

it('What was kept is deleted at the end of a restore, a few values at a time, and that of another store stays', async () => {
  const [own, foreign] = [await seedCompanyIn('own'), await seedCompanyIn('own')]
  const lists: number[] = []
  const isLeft = ({ store }: OwnCompany) =>
    runInDurableObject(objectOf(nameBeside(store ?? '')), (_: CompanyStore, { storage }) => [
      ...storage.kv.list({ prefix: 'kept:' }),
    ])
  for (const { store } of [own, foreign])
    for (let kept = 1; kept <= 40; kept++)
      await objectOf(nameBeside(store ?? '')).writeRestore(
        { ...readingOf(own, 0), kept },
        { table: 'consents', rows: [`${kept}`] },
      )
  await runInDurableObject(objectOf(nameBeside(own.store ?? '')), (object: CompanyStore, { storage }) => {
    const list = storage.kv.list.bind(storage.kv)
    const watched = Object.assign(Object.create(storage.kv), {
      put: storage.kv.put.bind(storage.kv),
      delete: storage.kv.delete.bind(storage.kv),
      list(options: SyncKvListOptions) {
        const found = [...list(options)]
        lists.push(found.length)
        return found
      },
    })
    Object.defineProperty(storage, 'kv', { value: watched, configurable: true })
    return object.writeRestore({ ...readingOf(own, 0), kept: 40, phase: 'done' })
  })
  expect(Math.max(...lists)).toBeLessThan(20)
  expect([(await isLeft(own)).length, (await isLeft(foreign)).length]).toEqual([0, 40])
})
