// Builds the package into the folder that its argument names: one file without dependencies, because our client is in
// no registry, and the licenses of the packages in it.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'

const packages = createRequire(import.meta.url)
/** From wrangler's dependencies. */
const esbuild = createRequire(packages.resolve('wrangler/package.json'))(
  'esbuild',
) as typeof import('esbuild')

const projectDir = join(import.meta.dirname, '../..')
const outDir = resolve(process.argv[2] ?? 'dist')

rmSync(outDir, { recursive: true, force: true })
mkdirSync(outDir, { recursive: true })

const { metafile } = esbuild.buildSync({
  absWorkingDir: projectDir,
  entryPoints: ['src/mcp/lead-intake-mcp.ts'],
  outfile: join(outDir, 'lead-intake-mcp.js'),
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  banner: { js: '#!/usr/bin/env node' },
  legalComments: 'none',
  metafile: true,
  tsconfigRaw: {},
})

const files = Object.keys(metafile.inputs)
const bundled = files.flatMap((file) => /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? [])
const licenses = [...new Set(bundled)].sort().map((name) => {
  const dir = join(projectDir, 'node_modules', name)
  const { version, license } = JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8'))
  return `${name} ${version} (${license})\n\n${readFileSync(join(dir, 'LICENSE'), 'utf8')}`
})

/** Packages that a bundled package has copied into its own files, without their licenses: its source maps name them. */
const copied = new Map(
  files
    .map((file) => join(projectDir, `${file}.map`))
    .filter((map) => existsSync(map))
    .flatMap((map) => (JSON.parse(readFileSync(map, 'utf8')) as { sources: string[] }).sources)
    .flatMap((source) => {
      const [, version, name] = /@([\d.]+)[^/]*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(source) ?? []
      return name === undefined || bundled.includes(name) ? [] : [[name, version as string]]
    }),
)
// Throws for a package whose license is not here yet.
const licensesOfCopied = [...copied].sort().map(([name, version]) => {
  const license = readFileSync(join(import.meta.dirname, 'vendored-licenses', `${name}.txt`), 'utf8')
  return `${name} ${version}\n\n${license}`
})
writeFileSync(join(outDir, 'licenses.txt'), [...licenses, ...licensesOfCopied].join('\n\n'))
