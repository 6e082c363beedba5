// How large the Worker is to upload, and how long it takes to start, as wrangler tells.
import { join } from 'node:path'
import { scratchDir, wrangler } from '../runtime.ts'
import { spread } from '../statistics.ts'

export type Upload = {
  readonly gzipKib: number
  readonly peerGzipKib: number
  readonly startUpMs: number
  /** Of the Worker that says hello: what this machine takes to start any. */
  readonly helloStartUpMs: number
}

/** `wrangler check startup` samples one start, so the median of several is taken. */
const starts = 5

export async function measureUpload(gzipKib: number, peerGzipKib: number): Promise<Upload> {
  const ours: number[] = []
  const hello: number[] = []
  for (let start = 0; start < starts; start++) {
    ours.push(await activeMs('wrangler.toml'))
    hello.push(await activeMs('test/bench/hello/wrangler.toml'))
  }
  return { gzipKib, peerGzipKib, startUpMs: spread(ours).median, helloStartUpMs: spread(hello).median }
}

async function activeMs(config: string): Promise<number> {
  const outfile = join(scratchDir, 'startup.cpuprofile')
  const printed = await wrangler(['check', 'startup', '--config', config, '--outfile', outfile])
  return Number(/Active: ([\d.]+) ms/.exec(printed)?.[1])
}
