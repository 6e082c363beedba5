// The state of imports, so that one can be resumed: in IndexedDB, without phone numbers or other cells of the file.
import type { Meaning } from '../../queue/leads/file/columns.ts'
import type { Choices, InvalidRow, Tally } from './import-messages.ts'

export type ImportState = {
  readonly importId: string
  /** Another company may have a campaign with the same id. */
  readonly companyId: string
  readonly campaignId: string
  readonly fileName: string
  readonly fileHash: string
  readonly meanings: readonly Meaning[]
  readonly choices: Choices
  /** What became of the confirmed rows, which are the first of the file. */
  readonly tally: Tally
  /** The request that is sent now, or was at the interruption: the rows after the confirmed ones. */
  readonly pending: { readonly rows: number; readonly idempotencyKey: string } | null
  readonly isDone: boolean
}

/** `invalid`: rows since the last save that the service did not accept. */
export async function saveImport(state: ImportState, invalid: readonly InvalidRow[]): Promise<void> {
  await inStore('readwrite', (store) => {
    store.put(state, ['state', state.importId])
    if (invalid.length > 0) store.put(invalid, ['invalid', state.importId, state.tally.rows])
  })
}

export async function findImport(
  isWanted: (state: ImportState) => boolean,
): Promise<ImportState | undefined> {
  const states = await readRange<ImportState>(['state'], ['state', []])
  return states.find(isWanted)
}

export async function invalidRowsOf(importId: string): Promise<readonly InvalidRow[]> {
  const portions = await readRange<readonly InvalidRow[]>(['invalid', importId], ['invalid', importId, []])
  return portions.flat()
}

export async function forgetImport(importId: string): Promise<void> {
  await inStore('readwrite', (store) => {
    store.delete(['state', importId])
    store.delete(IDBKeyRange.bound(['invalid', importId], ['invalid', importId, []]))
  })
}

async function readRange<Value>(from: IDBValidKey, until: IDBValidKey): Promise<readonly Value[]> {
  let request: IDBRequest | undefined
  await inStore('readonly', (store) => {
    request = store.getAll(IDBKeyRange.bound(from, until))
  })
  return (request?.result ?? []) as Value[]
}

async function inStore(mode: IDBTransactionMode, work: (store: IDBObjectStore) => void): Promise<void> {
  const db = await open()
  try {
    await new Promise<void>((resolve, reject) => {
      const transaction = db.transaction('imports', mode)
      transaction.oncomplete = () => resolve()
      transaction.onabort = () => reject(transaction.error)
      work(transaction.objectStore('imports'))
    })
  } finally {
    db.close()
  }
}

function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open('lead-intake-console', 1)
    request.onupgradeneeded = () => request.result.createObjectStore('imports')
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
}
