// A request of every operation, ready to be pasted: curl, TypeScript, Python. Made of the description alone, from the
// examples of its parameters and bodies; how values are written in each language is in code-values.ts.
import { expression, jsonValue, pythonValue, typescriptValue } from './code-values.ts'
import type { CodeSample, Document, Operation, Parameter } from './document.ts'
import { resolve } from './document.ts'

/** Stands for wherever the service is. The page puts its own address in its place. */
export const exampleOrigin = 'https://leads.example.com'

type Request = {
  readonly method: string
  readonly url: string
  readonly needsKey: boolean
  /** Undefined: it has none. */
  readonly body: unknown
}

export function codeSamples(document: Document, path: string, method: string, operation: Operation) {
  const request = exampleRequest(document, path, method, operation)
  return [
    { lang: 'Shell', label: 'curl', source: curl(request) },
    { lang: 'TypeScript', label: 'TypeScript', source: typescript(request) },
    { lang: 'Python', label: 'Python', source: python(request) },
  ] satisfies CodeSample[]
}

function exampleRequest(document: Document, path: string, method: string, operation: Operation): Request {
  const parameters = (operation.parameters ?? []).map((one) => resolve<Parameter>(document, one))
  const required = parameters.filter((parameter) => parameter.required)
  const exampleOf = (name: string) => String(required.find((one) => one.name === name)?.example)
  const query = required
    .filter((parameter) => parameter.in === 'query')
    .map(({ name }) => [name, exampleOf(name)])
  const search = query.length === 0 ? '' : `?${new URLSearchParams(query)}`
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(exampleOf(name)))
  const [example] = Object.values(operation.requestBody?.content['application/json']?.examples ?? {})
  return {
    method: method.toUpperCase(),
    url: exampleOrigin + filled + search,
    needsKey: operation.security.length > 0,
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

/** Within the single quotes of a shell. */
const quoted = (body: unknown) => jsonValue(body).replaceAll("'", "'\\''")

function typescript({ method, url, needsKey, body }: Request): string {
  const headers = {
    ...(needsKey && { 'x-api-key': expression('process.env.LEAD_INTAKE_KEY') }),
    ...(body !== undefined && { 'Content-Type': 'application/json' }),
  }
  const options = {
    ...(method !== 'GET' && { method }),
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(body !== undefined && { body: expression(`JSON.stringify(${typescriptValue(body, 1)})`) }),
  }
  const init = Object.keys(options).length > 0 ? `, ${typescriptValue(options)}` : ''
  const sent = `const response = await fetch('${url}'${init})`
  if (method === 'HEAD') return `${sent}\nconsole.log(response.status)`
  return `${sent}\nconst { success, data, error } = await response.json()`
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
  const told = method === 'HEAD' ? 'print(response.status_code)' : 'print(response.json())'
  return `${imports}\n\nresponse = requests.${method.toLowerCase()}(\n${lines.join('\n')}\n)\n${told}`
}
