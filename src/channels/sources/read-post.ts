// The body of a post, by its type, as an object: JSON as it is, a form with its names opened, `fields[name][value]`.
import { isObject } from '../../base/http/schemas.ts'
import { limits } from '../../base/limits.ts'

type PostRead =
  /**
   * `isJson`: no form of a browser sends that. `files`: names of files, which are left out. `problem`: why it is
   * refused, though a part of it is read.
   */
  | {
      readonly kind: 'read'
      readonly root: Record<string, unknown>
      readonly isJson: boolean
      readonly isUrlEncoded: boolean
      readonly files: readonly string[]
      readonly problem?: string
    }
  | { readonly kind: 'unsupported_media_type' | 'invalid_json' | 'invalid_field'; readonly message: string }

/** A format that is not among `formats` does not compile. */
type Kind = 'json' | 'text' | 'form' | 'multipart'

type Sent = { readonly contentType: string; readonly body: ArrayBuffer; readonly decode: Decode }

type Format = {
  /** Of its Content-Type, without parameters. */
  readonly pattern: RegExp
  /** Browsers send it, by whose settings its texts are encoded. */
  readonly isForm: boolean
  readonly read: (sent: Sent) => PostRead | Promise<PostRead>
}

const formats: Readonly<Record<Kind, Format>> = {
  json: {
    pattern: /^application\/(?:json|[\w.-]+\+json)$/,
    isForm: false,
    read: (sent) => readJson(sent, { kind: 'invalid_json', message: 'Request body must be valid JSON' }),
  },
  // What is sent without a type, or as text, by those who cannot set one.
  text: { pattern: /^(?:text\/plain)?$/, isForm: false, read: (sent) => readJson(sent, unsupported) },
  form: { pattern: /^application\/x-www-form-urlencoded$/, isForm: true, read: readUrlEncoded },
  multipart: { pattern: /^multipart\/form-data$/, isForm: true, read: readMultipart },
}
const kinds = Object.keys(formats) as readonly Kind[]

/** Null: no such type is read. */
function kindOf(contentType: string): Kind | null {
  const [type = ''] = contentType.split(';')
  return kinds.find((kind) => formats[kind].pattern.test(type.trim().toLowerCase())) ?? null
}

export const isJsonType = (contentType: string) => kindOf(contentType) === 'json'

/** How the texts of a post are read. Throws where they are in no encoding that is known. */
type Decode = (texts: readonly Uint8Array[]) => readonly string[]

const decodeBy = (charset: string, fatal: boolean): Decode => {
  const decoder = new TextDecoder(charset, { fatal, ignoreBOM: false })
  return (texts) => texts.map((text) => decoder.decode(text))
}

/** Those of a form without a charset are Windows-1252 where one of them is no UTF-8. Null: its charset is not known. */
function decoderOf(contentType: string, { isForm }: Format): Decode | null {
  const charset = /;\s*charset\s*=\s*"?([^"\s;]*)/i.exec(contentType)?.[1] ?? ''
  try {
    if (charset !== '') return decodeBy(charset, !isForm)
  } catch {
    return null
  }
  return (texts) => {
    try {
      return decodeBy('utf-8', true)(texts)
    } catch (error) {
      if (isForm) return decodeBy('windows-1252', false)(texts)
      throw error
    }
  }
}

const unsupported = {
  kind: 'unsupported_media_type',
  message: 'Content-Type must be application/json, application/x-www-form-urlencoded or multipart/form-data',
} as const
const noForm = { kind: 'invalid_field', message: 'Request body must be a form' } as const

const noList = 'Request body must be a JSON object, or a list of one'

export async function readPost(contentType: string, body: ArrayBuffer): Promise<PostRead> {
  const kind = kindOf(contentType)
  const decode = kind && decoderOf(contentType, formats[kind])
  return kind === null || decode === null ? unsupported : formats[kind].read({ contentType, body, decode })
}

/** `problem`: where it is none. */
function readJson({ body, decode }: Sent, problem: PostRead): PostRead {
  const text = textOf(body, decode)
  const json = text === null ? undefined : parsed(text)
  return readMembers(json) ?? (json === undefined ? problem : { kind: 'invalid_field', message: noList })
}

/** Null: it is no object, nor a list of some. */
function readMembers(json: unknown): PostRead | null {
  const root = Array.isArray(json) && json.length === 1 ? json[0] : json
  if (isObject(root)) return { kind: 'read', root, isJson: true, isUrlEncoded: false, files: [] }
  // There are several people, whose noes are heard all the same.
  if (Array.isArray(root) && root.length > 0 && root.every(isObject))
    return { kind: 'read', root: { ...root }, isJson: true, isUrlEncoded: false, files: [], problem: noList }
  return null
}

/** Many a tool calls JSON a form. As one, what people have written would stand among its names. */
function readUrlEncoded({ body, decode }: Sent): PostRead {
  const text = textOf(body, decode)
  const members = text !== null && /^\s*[{[]/.test(text) ? readMembers(parsed(text)) : null
  if (members !== null) return members
  // Without a value, what a person has written would be a name.
  return /^[^=]+$/.test(text ?? '') ? noForm : readForm(decoded(pairsOf(body), decode), true)
}

async function readMultipart({ contentType, body, decode }: Sent): Promise<PostRead> {
  try {
    const form = await new Response(quoted(body), { headers: { 'content-type': contentType } }).formData()
    return readForm(decoded([...form] as [string, string | File][], decode), false)
  } catch {
    return noForm
  }
}

type Pair = readonly [name: string, value: string | File]

/** Texts with a character for each byte. One more than are read, which shows that there are more. */
function decoded(all: readonly Pair[], decode: Decode): readonly Pair[] {
  const pairs = all.slice(0, limits.postNamesMax + 1)
  const texts = decode(
    pairs.flat().map((text) => Buffer.from(typeof text === 'string' ? text : '', 'latin1')),
  )
  return pairs.map(([, value], at) => [
    texts[2 * at] ?? '',
    typeof value === 'string' ? (texts[2 * at + 1] ?? '') : value,
  ])
}

/** The pairs of a form in a URL's writing, with a character for each byte. */
const pairsOf = (body: ArrayBuffer): readonly Pair[] =>
  Buffer.from(body)
    .toString('latin1')
    .split('&')
    .filter((pair: string) => pair !== '')
    .map((pair: string): Pair => {
      const [name = '', ...value] = pair
        .replaceAll('+', ' ')
        .split('=')
        .map((text: string) =>
          text.replace(/%([\da-f]{2})/gi, (_, digits: string) =>
            String.fromCharCode(Number.parseInt(digits, 16)),
          ),
        )
      return [name, value.join('=')]
    })

/**
 * With the names of its parts in quotes, which the runtime wants and .NET leaves out; and each of its bytes as a
 * character, since the runtime knows UTF-8 alone.
 */
const quoted = (body: ArrayBuffer) =>
  Buffer.from(
    Buffer.from(body)
      .toString('latin1')
      .replace(/\r\ncontent-disposition:[^\r\n]*/gi, (line: string) =>
        line.replace(/(;[ \t]*(?:file)?name=)([^\s";][^\s;]*)/gi, '$1"$2"'),
      ),
  )

/** Null: it is not in the encoding that it should be in. */
function textOf(body: ArrayBuffer, decode: Decode): string | null {
  try {
    return decode([new Uint8Array(body)])[0] ?? ''
  } catch {
    return null
  }
}

/** An id of more digits than a number holds, as it was sent. */
const exactly = (_: string, value: unknown, { source = '' }: { readonly source?: string } = {}) =>
  typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(source) ? source : value

/** Undefined: it is not JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text, /\d{16}/.test(text) ? exactly : undefined)
  } catch {
    return undefined
  }
}

type Opened = { [name: string]: string | string[] | Opened }

function readForm(pairs: readonly Pair[], isUrlEncoded: boolean): PostRead {
  // Without a prototype: a name may be `__proto__`.
  const root: Opened = Object.create(null)
  const files: string[] = []
  for (const [name, value] of pairs.slice(0, limits.postNamesMax))
    if (typeof value === 'string') place(root, name, value)
    else files.push(name)
  const problem =
    pairs.length > limits.postNamesMax && `Request body must hold at most ${limits.postNamesMax} names`
  return { kind: 'read', root, isJson: false, isUrlEncoded, files, ...(problem && { problem }) }
}

/** `a[b][c]` into the members of members; `a[]` into a list. What fits into neither keeps its name. */
function place(root: Opened, name: string, value: string): void {
  const [, first = '', rest = ''] = /^([^[\]]+)((?:\[[^[\]]*\])+)$/.exec(name) ?? []
  const steps = [first, ...[...rest.matchAll(/\[([^[\]]*)\]/g)].map(([, step = '']) => step)]
  const isList = steps.length > 1 && steps.at(-1) === ''
  const path = isList ? steps.slice(0, -1) : steps
  const last = path.at(-1) as string
  const members = first === '' ? null : membersAt(root, path.slice(0, -1))
  const list = members?.[last]
  if (members === null || (isList && list !== undefined && !Array.isArray(list))) set(root, name, value)
  else if (!isList) set(members, last, value)
  else if (Array.isArray(list)) list.push(value)
  else members[last] = [value]
}

/** Null: a text or a list stands there. */
function membersAt(root: Opened, path: readonly string[]): Opened | null {
  let members = root
  for (const step of path) {
    members[step] ??= Object.create(null) as Opened
    const inner = members[step]
    if (!isObject(inner)) return null
    members = inner as Opened
  }
  return members
}

/** A name that is sent again gets a number, unless it was empty: of two fields for wide and narrow screens one is. */
function set(members: Opened, name: string, value: string): void {
  let own = name
  for (let count = 2; (members[own] ?? '') !== ''; count++) own = `${name} (${count})`
  members[own] = value
}
