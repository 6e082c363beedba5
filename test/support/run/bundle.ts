// What a file comes to when it is bundled: by the esbuild that wrangler brings. Node only.
import { createRequire } from 'node:module'
import { gzipSync } from 'node:zlib'

type Esbuild = typeof import('esbuild')

const { build, buildSync } = createRequire(createRequire(import.meta.url).resolve('wrangler'))(
  'esbuild',
) as Esbuild

/** In bytes, compressed, as for production, without what it does not use. */
export function bundleSize(file: string): number {
  const options = { bundle: true, minify: true, format: 'esm', write: false } as const
  const [bundle] = buildSync({ ...options, entryPoints: [file] }).outputFiles
  return gzipSync(bundle?.contents ?? '', { level: 9 }).length
}

/** A Worker's code, for a run on this machine: in half of the time that wrangler takes, and not made small. */
export async function workerCode(entry: string): Promise<string> {
  const { outputFiles } = await build({
    ...{ bundle: true, format: 'esm', target: 'es2024', write: false, entryPoints: [entry] },
    conditions: ['workerd', 'worker', 'browser'],
    external: ['cloudflare:*', 'node:*'],
    loader: { '.sql': 'text' },
  })
  return outputFiles[0]?.text ?? ''
}
