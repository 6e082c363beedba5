// Writes src/api-types.ts out of the API description: what is sent and what success answers, and the codes of
// failures. No part of the package. A test runs it with `--check`, which compares and writes nothing.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

type Json = { [name: string]: Json } & { readonly enum?: readonly string[] }

const projectDir = join(import.meta.dirname, '../..')
const file = join(import.meta.dirname, 'src/api-types.ts')
const banner =
  '// Written by generate-types.ts out of the API description (`npm run types`): change that in its place.\n'

// The generator wants an older TypeScript beside it than the project has, so it lives in a workspace with one.
const { default: openapiTS, astToString } = await import(
  createRequire(join(projectDir, 'test/client/package.json'))
    .resolve('openapi-typescript')
    .replace(/c?js$/, 'mjs')
)

execFileSync(process.execPath, [join(projectDir, 'src/site/build.ts')])
const description = JSON.parse(readFileSync(join(projectDir, 'dist/assets/openapi.json'), 'utf8'))
const nodes = await openapiTS(JSON.stringify(withoutFailures(description)), {
  // What may be left out has a default; it is not always there.
  defaultNonNullable: false,
})
// `paths` only says where each operation is, which the client knows.
const wanted = nodes.filter((node: { name?: { text: string } }) =>
  ['components', 'operations'].includes(node.name?.text ?? ''),
)
const types = banner + tidied(astToString(wanted))

if (!process.argv.includes('--check')) writeFileSync(file, types)
else if (readFileSync(file, 'utf8') !== types) {
  process.stderr.write(
    'error: src/sdk/src/api-types.ts is not what the API description says: npm run types\n',
  )
  process.exitCode = 1
}

/** Every failure is told alike, as an error with a code: only the codes are kept. */
function withoutFailures(document: Json): object {
  const codes = new Set<string>()
  const { schemas, parameters, securitySchemes, responses } = document.components as Json
  for (const answer of Object.values(responses as Record<string, Json>))
    for (const code of answer.headers?.['X-Error-Code']?.schema?.enum ?? []) codes.add(code)
  for (const path of Object.values(document.paths as Json))
    for (const operation of Object.values(path)) {
      const answers = (operation as Json).responses ?? {}
      for (const [status, answer] of Object.entries(answers as Record<string, Json>)) {
        for (const code of answer.headers?.['X-Error-Code']?.schema?.enum ?? []) codes.add(code)
        answer.headers = {} as Json
        if (!status.startsWith('2')) delete (answers as Record<string, Json>)[status]
      }
    }
  // Of an event that is told, only its body is of interest.
  for (const { post } of Object.values((document.webhooks ?? {}) as Record<string, Json>)) {
    if (post === undefined) continue
    post.responses = {} as Json
    post.parameters = [] as unknown as Json
  }
  const errorCode = { type: 'string', description: 'What went wrong, for machines.', enum: [...codes].sort() }
  return {
    ...document,
    components: { schemas: { ...schemas, ErrorCode: errorCode }, parameters, securitySchemes },
  }
}

/** With comments as an editor shows them, and indented as the rest of the project is. */
function tidied(text: string): string {
  return text
    .replaceAll('@description ', '')
    .replace(/^( {4})+/gm, (spaces) => spaces.slice(spaces.length / 2))
}
