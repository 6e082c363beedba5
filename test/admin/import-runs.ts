// `lead import` into a service in memory: its figures, and the rows of its report.
import { readFileSync } from 'node:fs'
import { makeKey } from '../../src/base/access/api-key.ts'
import { command } from './command.ts'
import type { Service } from './import-target.ts'

export const ownKey = makeKey().key

type Options = { readonly key?: string; readonly campaign?: string; readonly more?: readonly string[] }

export async function importTo(
  service: Service,
  file: string,
  { key = ownKey, campaign = 'c', more = [] }: Options = {},
) {
  const target = ['--campaign', campaign, '--url', service.url, '--key', key]
  const finished = await command('lead import --json', file, ...target, ...more)
  const tally = finished.stdout === '' ? null : (JSON.parse(finished.stdout) as Record<string, number>)
  return { ...finished, tally }
}

export const tally = (rows: number, created: number, existing = 0, repeated = 0, invalid = 0) => ({
  rows,
  created,
  existing,
  repeated,
  invalid,
})

/** The rows of a report, each by its header. */
export function readReport(file: string): Record<string, string>[] {
  const [header = '', ...lines] = readFileSync(file, 'utf8').split('\r\n').slice(0, -1)
  const names = header.split(',')
  return lines.map((line) => Object.fromEntries(line.split(',').map((cell, index) => [names[index], cell])))
}
