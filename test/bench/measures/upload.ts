// How large the Worker is to upload, and how long it takes to start, as wrangler tells.
import { join } from 'node:path'
import { scratchDir, wrangler } from '../runtime.ts'
import { spread } from '../statistics.ts'

export type Upload = { readonly gzipKib: number; readonly peerGzipKib: number; readonly startUpMs: number }

/** `wrangler check startup` samples one start, so the median of several is taken. */
const starts = 5

export async function measureUpload(gzipKib: number, peerGzipKib: number): Promise<Upload> {
  const activeMs: number[] = []
  for (let start = 0; start < starts; start++) {
    const outfile = join(scratchDir, 'startup.cpuprofile')
    const { stdout } = await wrangler(['check', 'startup', '--outfile', outfile])
    activeMs.push(Number(/Active: ([\d.]+) ms/.exec(stdout)?.[1]))
  }
  return { gzipKib, peerGzipKib, startUpMs: spread(activeMs).median }
}
