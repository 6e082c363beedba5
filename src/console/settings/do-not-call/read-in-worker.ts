// Reads a file of phone numbers as text in the worker of the import, which knows all kinds of files.
import type { FromWorker, ToWorker } from '../../import/import-messages.ts'
import { startWorker } from '../../import/start-worker.ts'

type Read = Extract<FromWorker, { kind: 'text' | 'asked' | 'unreadable' }>

/** `sheet`: the answer, where it asks. */
export async function readInWorker(file: File, sheet?: string): Promise<Read> {
  const worker = startWorker()
  try {
    return await new Promise((resolve) => {
      worker.onmessage = ({ data }: MessageEvent<Read>) => resolve(data)
      worker.onerror = () => resolve({ kind: 'unreadable', message: 'The file could not be read.' })
      worker.postMessage({ kind: 'text', file, sheet } satisfies ToWorker)
    })
  } finally {
    worker.terminate()
  }
}
