// A company's own store as the database that the stores take: what they would send to D1 goes to the company's Durable
// Object instead. Nobody outside this folder and base/access/ knows which one it is.

import { randomBase62 } from '../base62.ts'
import type { Migrations } from './bundled-migrations.ts'

/** One statement as it is sent: its text, and the values of `?1`, `?2`, … */
export type SentStatement = readonly [text: string, values: readonly SqlStorageValue[]]

/** As D1 answers, without what nobody reads. */
export type StatementResult = {
  readonly results: readonly Record<string, SqlStorageValue>[]
  readonly meta: { readonly changes: number; readonly rows_read: number; readonly rows_written: number }
}

/** Runs the statements in one transaction. */
export type SendBatch = (statements: readonly SentStatement[]) => Promise<readonly StatementResult[]>

type Prepared = {
  readonly sent: SentStatement
  readonly bind: (...values: SqlStorageValue[]) => Prepared
  readonly all: () => Promise<StatementResult>
}

export function databaseOf(send: SendBatch): D1Database {
  const prepare = (text: string, values: readonly SqlStorageValue[] = []): Prepared => ({
    sent: [text, values],
    bind: (...bound) => prepare(text, bound),
    all: async () => (await send([[text, values]]))[0] as StatementResult,
  })
  const batch = (statements: readonly Prepared[]) => send(statements.map(({ sent }) => sent))
  return { prepare: (text: string) => prepare(text), batch } as unknown as D1Database
}

/** Where a store's object is placed, and where its data must stay. */
export const storeLocations = ['weur', 'eeur', 'enam', 'wnam', 'apac', 'oc'] as const
export const storeJurisdictions = ['eu'] as const

export type StorePlace = {
  readonly location: (typeof storeLocations)[number] | null
  readonly jurisdiction: (typeof storeJurisdictions)[number] | null
}

/** The name of a new store. It says where the store is, and no other store ever has it. */
export function newStoreName(companyId: string, { location, jurisdiction }: StorePlace): string {
  const place = location === null ? '' : `@${location}`
  return `${jurisdiction ?? ''}:${companyId}:${randomBase62(8)}${place}`
}

/** The object beside a store, which keeps what a restore of the store must not take back. */
export const nameBeside = (storeName: string) => storeName.replace(/(@\w+)?$/, '.beside$1')

/** Where the store was made. */
export function placeOfStore(storeName: string): StorePlace {
  const { jurisdiction, location } = parts.exec(storeName)?.groups ?? {}
  return { jurisdiction: jurisdiction || null, location: location ?? null } as StorePlace
}

const parts = /^(?<jurisdiction>\w*):.*?(?:@(?<location>\w+))?$/

/** Whether stores can be made there: workerd without Cloudflare, as in a local service, has no jurisdictions. */
export function canPlaceStore({ COMPANY_STORES }: Env, { jurisdiction }: StorePlace): boolean {
  try {
    if (jurisdiction !== null) COMPANY_STORES.jurisdiction(jurisdiction)
    return true
  } catch {
    return false
  }
}

/** The object of a store. */
export function storeStub(env: Env, storeName: string): DurableObjectStub<CompanyStore> {
  const { jurisdiction, location } = placeOfStore(storeName)
  const stores = jurisdiction ? env.COMPANY_STORES.jurisdiction(jurisdiction) : env.COMPANY_STORES
  return stores.getByName(storeName, location ? { locationHint: location } : undefined)
}

export type CompanyStore = Rpc.DurableObjectBranded & {
  /** Fails with storeBehind when it has not applied the migration of this name. */
  readonly batch: (
    statements: readonly SentStatement[],
    lastMigration?: string,
  ) => Promise<readonly StatementResult[]>
  readonly migrate: (migrations: Migrations) => Promise<void>
  /** Answers as `batch` would without the move that copies the store, and carries it out when that has ended. */
  readonly hold: (statements: readonly SentStatement[]) => Promise<readonly StatementResult[]>
  readonly tend: (companyId: string, isLook?: boolean) => Promise<void>
  /** Carries out the company's move. */
  readonly move: (companyId: string) => Promise<void>
}

/** The environment of a company: the database of its store in place of D1. */
export type CompanyEnv = Env & { readonly storeName?: string | null }
