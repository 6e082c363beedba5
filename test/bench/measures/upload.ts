// How large the Worker is to upload, and how long it takes to start, as wrangler reports; and how large the client is for
// a program that creates a lead.
import { join } from 'node:path'
import { bundleSize } from '../../support/bundle.ts'
import { benchDir, scratchDir, wrangler } from '../runtime.ts'
import { spread } from '../statistics.ts'

export type Upload = {
  readonly gzipKib: number
  readonly peerGzipKib: number
  readonly startUpMs: number
  /** Of the Worker that says hello: what this machine takes to start any. */
  readonly helloStartUpMs: number
  readonly clientGzipKib: number
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
  const clientGzipKib = bundleSize(join(benchDir, 'create-by-client.ts')) / 1024
  return {
    clientGzipKib,
    gzipKib,
    peerGzipKib,
    startUpMs: spread(ours).median,
    helloStartUpMs: spread(hello).median,
  }
}

async function activeMs(config: string): Promise<number> {
  const outfile = join(scratchDir, 'startup.cpuprofile')
  const printed = await wrangler(['check', 'startup', '--config', config, '--outfile', outfile])
  return Number(/Active: ([\d.]+) ms/.exec(printed)?.[1])
}
