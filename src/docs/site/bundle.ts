// Bundles the console (src/console): the page, its script and style, the worker of the import, and what both scripts
// share; and the search of /docs.
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, join } from 'node:path'

const projectDir = join(import.meta.dirname, '../../..')
const consoleDir = join(projectDir, 'src/console')
const packages = createRequire(import.meta.url)
/** From wrangler's dependencies. */
export const esbuild = createRequire(packages.resolve('wrangler/package.json'))(
  'esbuild',
) as typeof import('esbuild')

type Metafile = NonNullable<ReturnType<typeof esbuild.buildSync>['metafile']>

const options = {
  bundle: true,
  minify: true,
  write: false,
  format: 'esm',
  target: 'es2022',
  legalComments: 'none',
  tsconfigRaw: {},
} as const

/** Their licenses are served beside the bundle. */
const bundled = ['preact', 'libphonenumber-js', 'read-excel-file', 'fflate', 'saxen']

export function bundleConsole(): Readonly<Record<string, Buffer>> {
  const { outputFiles, metafile } = esbuild.buildSync({
    entryPoints: [
      { in: join(consoleDir, 'console.tsx'), out: 'console' },
      { in: join(consoleDir, 'style/console.css'), out: 'console' },
      { in: join(consoleDir, 'import/import-worker.ts'), out: 'import-worker' },
    ],
    ...options,
    metafile: true,
    outdir: consoleDir,
    // Pages are loaded when they are opened, and what several files use is sent once. The hash keeps a tab that is open
    // during a deployment from mixing files of two builds.
    splitting: true,
    chunkNames: '[name]-[hash]',
    jsx: 'automatic',
    jsxImportSource: 'preact',
  })
  const built = Object.fromEntries(
    outputFiles.map(({ path, contents }) => [
      `console/${path.slice(consoleDir.length + 1).replaceAll('\\', '/')}`,
      Buffer.from(contents),
    ]),
  )
  return {
    'console.html': Buffer.from(withPreloads(metafile)),
    ...built,
    'console/licenses.txt': Buffer.from(bundled.map(licenseOf).join('\n\n')),
  }
}

export function bundleSearch(): Readonly<Record<string, Buffer>> {
  const { outputFiles } = esbuild.buildSync({
    ...options,
    entryPoints: [join(projectDir, 'src/docs/page/search.ts')],
  })
  return {
    'docs/search.js': Buffer.from(outputFiles[0]?.contents ?? ''),
    'docs/licenses.txt': Buffer.from(licenseOf('minisearch')),
  }
}

/** The page, which loads what its script imports at once with it. */
function withPreloads({ outputs }: Metafile): string {
  const script = Object.entries(outputs).find(([path]) => basename(path) === 'console.js')?.[1]
  const links = (script?.imports ?? [])
    .filter(({ kind }) => kind === 'import-statement')
    .map(({ path }) => `<link rel="modulepreload" href="/console/${basename(path)}" />`)
  const page = readFileSync(join(consoleDir, 'console.html'), 'utf8')
  return page.replace('<!-- preloads -->', links.join('\n    '))
}

function licenseOf(name: string): string {
  const dir = join(projectDir, 'node_modules', name)
  const { version, license, homepage } = JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8'))
  const file = ['LICENSE', 'LICENSE.txt'].map((file) => join(dir, file)).find(existsSync)
  return `${name} ${version} (${license}) ${homepage}\n\n${file ? readFileSync(file, 'utf8') : ''}`
}
