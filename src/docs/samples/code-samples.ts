// Code samples that send each operation: curl, TypeScript with our client, Python. They use the examples of the API
// description. code-values.ts writes the values in each language.

import { type CodeSample, isForOperator, type Operation, type Parameter } from '../openapi/document.ts'
import { clientSamples } from './client-samples.ts'
import { expression, jsonValue, pythonValue, typescriptValue } from './code-values.ts'

/** A placeholder: the page replaces it with its own origin. */
export const exampleOrigin = 'https://leads.example.com'

type Values = Readonly<Record<string, string>>
type Request = {
  readonly method: string
  readonly url: string
  readonly needsKey: boolean
  /** The examples of the required parameters. */
  readonly inPath: Values
  readonly query: Values
  /** Undefined: no body. */
  readonly body: unknown
}

export function codeSamples(path: string, method: string, operation: Operation) {
  const request = exampleRequest(path, method, operation)
  const shell = { lang: 'Shell', label: 'curl', source: curl(request) }
  if (isForOperator(operation)) return [shell]
  return [
    shell,
    { lang: 'TypeScript', label: 'TypeScript', source: typescript(operation.operationId, request) },
    { lang: 'Python', label: 'Python', source: python(request) },
  ] satisfies CodeSample[]
}

function exampleRequest(path: string, method: string, operation: Operation): Request {
  const examplesIn = (place: Parameter['in']): Values => {
    // What is shared by reference is optional.
    const parameters = (operation.parameters ?? []).filter((one) => 'name' in one)
    const some = parameters.filter((one) => one.required && one.in === place)
    return Object.fromEntries(some.map(({ name, example }) => [name, String(example)]))
  }
  const inPath = examplesIn('path')
  const query = examplesIn('query')
  const search = Object.keys(query).length === 0 ? '' : `?${new URLSearchParams(query)}`
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(inPath[name] ?? ''))
  const [example] = Object.values(operation.requestBody?.content['application/json']?.examples ?? {})
  return {
    method: method.toUpperCase(),
    url: exampleOrigin + filled + search,
    needsKey: operation.security.length > 0,
    inPath,
    query,
    body: example?.value,
  }
}

function curl({ method, url, needsKey, body }: Request): string {
  const verb = { GET: '', HEAD: '-I ' }[method] ?? `-X ${method} `
  return [
    `curl ${verb}${url.includes('?') ? `'${url}'` : url}`,
    ...(needsKey ? [`-H "x-api-key: $LEAD_INTAKE_KEY"`] : []),
    ...(body === undefined ? [] : [`-H 'Content-Type: application/json'`, `-d '${quoted(body)}'`]),
  ].join(' \\\n  ')
}

/** Escaped for single quotes in a shell. */
const quoted = (body: unknown) => jsonValue(body).replaceAll("'", "'\\''")

function typescript(operationId: string, { inPath, query, body }: Request): string {
  const sample = clientSamples[operationId]
  if (sample === undefined) throw new Error(`client-samples.ts has no sample of ${operationId}`)
  const values: Readonly<Record<string, unknown>> = { ...inPath, query, body }
  const call = sample.replace(/\$(\w+)(?:\.(\w+))?/g, (_, name: string, member?: string) => {
    const value = values[name]
    return typescriptValue(member === undefined ? value : (value as Record<string, unknown>)[member])
  })
  const options = { baseUrl: exampleOrigin, apiKey: expression('process.env.LEAD_INTAKE_KEY!') }
  const client = `const client = new LeadIntake(${typescriptValue(options)})`
  return `import { LeadIntake } from '@lead-intake/client'\n\n${client}\n${call}`
}

function python({ method, url, needsKey, body }: Request): string {
  const headers = { ...(needsKey && { 'x-api-key': expression('os.environ["LEAD_INTAKE_KEY"]') }) }
  const lines = [
    `    "${url}",`,
    ...(needsKey ? [`    headers=${pythonValue(headers, 1)},`] : []),
    ...(body === undefined ? [] : [`    json=${pythonValue(body, 1)},`]),
    '    timeout=30,',
  ]
  const imports = needsKey ? 'import os\nimport requests' : 'import requests'
  const output = method === 'HEAD' ? 'print(response.status_code)' : 'print(response.json())'
  return `${imports}\n\nresponse = requests.${method.toLowerCase()}(\n${lines.join('\n')}\n)\n${output}`
}
