// Every reason for the end of a call, as the providers' own packages list them. Needs Node, and no runtime of a Worker.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Vapi } from '@vapi-ai/server-sdk'
import type { PackagedName } from './preset-cases.ts'

const packagesDir = join(import.meta.dirname, '../../../node_modules')
const readIn = (path: string) => readFileSync(join(packagesDir, path), 'utf8')

/** The texts of a type that a package declares. */
function textsOfType(path: string, declaration: RegExp): readonly string[] {
  const [, union = ''] = declaration.exec(readIn(path)) ?? []
  return [...union.matchAll(/['"]([^'"]+)['"]/g)].map(([, text]) => text as string)
}

const versionOf = (name: string) => JSON.parse(readIn(`${name}/package.json`)).version as string

type EndReasons = {
  readonly packageName: string
  readonly version: string
  readonly reasons: readonly string[]
}

const listed = (packageName: string, reasons: readonly string[]): EndReasons => ({
  packageName,
  version: versionOf(packageName),
  reasons,
})

export const endReasons = {
  vapi: listed('@vapi-ai/server-sdk', Object.values(Vapi.CallEndedReason)),
  retell: listed(
    'retell-sdk',
    textsOfType('retell-sdk/resources/call.d.ts', /disconnection_reason\?: ([^;]+);/),
  ),
  /** Those of a live call, too. */
  twilio: listed(
    'twilio',
    textsOfType('twilio/lib/rest/api/v2010/account/call.d.ts', /type CallStatus = ([^;]+);/),
  ),
} satisfies Readonly<Record<PackagedName, EndReasons>>
