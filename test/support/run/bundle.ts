// What a file comes to when it is bundled as for production, without what it does not use: by the esbuild that wrangler
// brings. Node only.
import { createRequire } from 'node:module'
import { gzipSync } from 'node:zlib'

type Esbuild = typeof import('esbuild')

const { buildSync } = createRequire(createRequire(import.meta.url).resolve('wrangler'))('esbuild') as Esbuild

/** In bytes, compressed. */
export function bundleSize(file: string): number {
  const options = { bundle: true, minify: true, format: 'esm', write: false } as const
  const [bundle] = buildSync({ ...options, entryPoints: [file] }).outputFiles
  return gzipSync(bundle?.contents ?? '', { level: 9 }).length
}
