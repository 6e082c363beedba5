// What is remembered of imports, so that one that broke off goes on where it was: in IndexedDB, and without a phone
// number or any other cell of the file.
import type { Meaning } from './file/columns.ts'
import type { Rejection, Tally } from './file/import-chunks.ts'

export type ImportState = {
  readonly importId: string
  /** Other companies have campaigns of the same id. */
  readonly companyId: string
  readonly campaignId: string
  readonly fileName: string
  readonly fileHash: string
  readonly meanings: readonly Meaning[]
  /** Rows before it are done. */
  readonly nextRow: number
  readonly allRows: number
  readonly tally: Tally
  readonly isDone: boolean
}

/** `refused`: what the service refused of the rows since the last save. */
export async function saveImport(state: ImportState, refused: readonly Rejection[]): Promise<void> {
  await inStore('readwrite', (store) => {
    store.put(state, ['import', state.importId])
    if (refused.length > 0) store.put(refused, ['refused', state.importId, state.nextRow])
  })
}

export async function findImport(
  isWanted: (state: ImportState) => boolean,
): Promise<ImportState | undefined> {
  const states = await readRange<ImportState>(['import'], ['import', []])
  return states.find(isWanted)
}

export async function refusedOf(importId: string): Promise<readonly Rejection[]> {
  const portions = await readRange<readonly Rejection[]>(['refused', importId], ['refused', importId, []])
  return portions.flat()
}

export async function forgetImport(importId: string): Promise<void> {
  await inStore('readwrite', (store) => {
    store.delete(['import', importId])
    store.delete(IDBKeyRange.bound(['refused', importId], ['refused', importId, []]))
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
