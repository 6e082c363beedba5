// The bounds of the source tree (`npm run house` prints every figure), and that each rule finds what breaks it.
import { join } from 'node:path'
import { expect, it } from 'vitest'
import {
  againstTheTable,
  circlesOf,
  figuresOf,
  hangingComments,
  wideLines,
} from '../support/house/house-figures.ts'
import { readSource, wordsOfVersions } from '../support/house/read-tree.ts'

const figures = figuresOf(join(import.meta.dirname, '../..'))

it.each(figures.filter(({ bound }) => bound !== null))(
  'The source tree keeps its bounds: $name',
  (figure) => {
    const { value, bound, found } = figure
    expect(value, found.slice(0, 20).join('\n')).toBeLessThanOrEqual(bound as number)
  },
)

it('A wing that imports one behind it is found', () => {
  const file = (path: string, target: string) => readSource(path, `import { a } from '${target}'`)
  const broken = [
    file('queue/leads/lead.ts', '../../channels/webhooks/signature.ts'),
    file('base/limits.ts', '../control/keys/routes.ts'),
  ]
  expect(againstTheTable(broken)).toHaveLength(2)
  const allowed = [
    file('channels/webhooks/sender.ts', '../../queue/leads/lead.ts'),
    file('channels/webhooks/sender.ts', '../dialers/dialer.ts'),
    file('index.ts', './control/companies/routes.ts'),
    file('console/app.tsx', '../control/companies/routes.ts'),
  ]
  expect(againstTheTable(allowed)).toEqual([])
})

it('A circle of imports is found, also one of types, and a diamond is none', () => {
  const file = (path: string, ...targets: string[]) =>
    readSource(path, targets.map((target) => `import type { a } from './${target}'`).join('\n'))
  const diamond = [file('a.ts', 'b.ts', 'c.ts'), file('b.ts', 'd.ts'), file('c.ts', 'd.ts'), file('d.ts')]
  expect(circlesOf(diamond)).toEqual([])
  const circle = [file('a.ts', 'b.ts'), file('b.ts', 'c.ts', 'd.ts'), file('c.ts', 'a.ts'), file('d.ts')]
  expect(circlesOf(circle)).toEqual(['a.ts, b.ts, c.ts'])
})

it('The lines and parameters of each function are counted, of components and of those without a name, too', () => {
  const { functions } = readSource(
    'a.tsx',
    'export function Page({ a }: Props, b: number) {\n  const done = async () => {\n    a()\n  }\n  ' +
      'return <p>{done}</p>\n}\n',
  )
  expect(functions).toEqual([
    { text: 'Page', line: 1, lines: 6, parameters: 2 },
    { text: 'done', line: 2, lines: 3, parameters: 0 },
  ])
})

it('Comments do not count as code, and a text that looks like one does', () => {
  const [bare, commented] = [
    "const a = 'x // y'\nconst b = 1\n",
    "// Of a.\n// Of b.\nconst a = 'x // y' // Why.\n\n/** Of c. */\nconst b = 1\n",
  ].map((text) => readSource('a.ts', text))
  expect(commented?.bytes).toBe((bare?.bytes ?? 0) + ' '.length)
  expect(hangingComments(commented === undefined ? [] : [commented])).toEqual(['src/a.ts:1', 'src/a.ts:5'])
})

it('A line of more than 120 columns is found, unless it has the title of a test', () => {
  const lines = [
    'a'.repeat(120),
    'b'.repeat(121),
    `it('${'c'.repeat(130)}', () => d)`,
    `say('${'f'.repeat(130)}')`,
  ]
  expect(wideLines('src', [readSource('a.ts', lines.join('\n'))])).toEqual(['src/a.ts:2', 'src/a.ts:4'])
})

it('The words of each version of a changelog are counted', () => {
  expect(wordsOfVersions('# C\n\n## [Unreleased]\n\n- a b\n\n## [1.0.0] - 2026\n\n- c\n')).toEqual([
    { version: 'Unreleased', count: 4 },
    { version: '1.0.0', count: 5 },
  ])
})
