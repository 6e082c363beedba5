// What npm start passes on of the output of wrangler dev.
import { describe, expect, it } from 'vitest'
import { openDevOutput } from '../../src/admin/local/dev-output.ts'

const table = [
  'Your Worker has access to the following bindings:',
  'Binding                             Resource                      Mode',
  'env.RATE_LIMITER (RateLimiter)      Durable Object                local',
  '\u001b[37menv.DB\u001b[39m                              D1 Database                   local',
  '  lead-intake',
  '',
]
const shown = ['Building', '', '[wrangler:info] Ready on http://localhost:8787', 'POST /api/v1/leads 201']
const output = [
  shown[0],
  ...table,
  '⎔ Starting local server...',
  ...shown.slice(1),
  '[wrangler:info] POST /api/v1/leads 201 Created (3ms)',
].map((line) => `${line}\n`)
const expected = ['Building', '⎔ Starting local server...', ...shown.slice(1)].map((line) => `${line}\n`)

describe('The output of the local server', () => {
  it.each([1, 7, 10_000])(
    'The output has no table of bindings and no second line for a request, in pieces of %i',
    (size) => {
      const show = openDevOutput()
      const text = output.join('')
      const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, index) =>
        show(text.slice(index * size, (index + 1) * size)),
      )
      expect(pieces.join('')).toBe(expected.join(''))
    },
  )

  it('The warning about the cron is left out, and what comes after it is not', () => {
    const show = openDevOutput()
    const warning = [
      '▲ [WARNING] Scheduled Workers are not automatically triggered during local development.',
      '',
      '  To manually trigger a scheduled event, run:',
      '    curl "http://localhost:8787/cdn-cgi/local/scheduled"',
      '  For more details, see https://developers.cloudflare.com/',
      '',
      '',
    ]
    expect(show(`${warning.join('\n')}\n▲ [WARNING] Another one\n`)).toBe('▲ [WARNING] Another one\n')
  })
})
