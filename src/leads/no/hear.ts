// What a body says of calls, wherever in it: as a member beside a value, behind a label, in a list, in a text that is JSON. A
// form has its names beside their values, a CRM its channels around them.
import { type Answer, answerOf, valueSays } from './answers.ts'
import { judgeName, type Under } from './names.ts'
import { isOfOtherChannel } from './phrases.ts'

/** One thing that a body says of calls. */
export type Heard = {
  /** Steps from the root, as sent. Of an item with its name beside it, that name is the last, without the item's place. */
  readonly path: readonly string[]
  /** `value`: the value says it by itself. */
  readonly under: Under | 'value'
  readonly answer: Answer
}

type Members = Readonly<Record<string, unknown>>
type Options = {
  /** Deeper, nobody can say what an answer means: it is unclear. */
  readonly maxDepth?: number
  /** Names that say nothing. */
  readonly silent?: readonly string[]
  /** Against which "until" is read. */
  readonly nowMs?: number
}

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Where a value has its name beside it: a label for people, and a key for machines. */
const labelNames = 'label title question name column_name columnName fieldName field_name'.split(' ')
const keyNames = 'column_id key ref code attribute slug field id'.split(' ')
const valueNames = [
  ...'value values string_value stringValue answer text field_value fieldValue content'.split(' '),
  ...'boolean checkbox checked selected'.split(' '),
]
/** What a sender keeps beside the values: earlier ones, and the form itself. */
const besides = ['options', 'choices', 'definition', 'versions']
const tagsName = /tags?|labels?|lists?|status|state|disposition|stage|results?|outcome|segments?|channel/i

/** JSON in a text, once. */
function openedText(text: string): unknown {
  if (!/^\s*[{[]/.test(text)) return null
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const holdsNumber = (members: Members): boolean =>
  Object.entries(members).some(([name, value]) =>
    isObject(value)
      ? holdsNumber(value)
      : /phone|mobile|telefon|^tel$/i.test(name) && /(?:\d\D*){7}/.test(String(value)),
  )

type Named = { readonly names: readonly string[]; readonly values: readonly string[] }

/** Null: it is no value with its name beside it. `titles`: of a form's questions, by their id. */
function namedOf(item: Members, titles: ReadonlyMap<string, string>): Named | null {
  const own =
    typeof item.type === 'string' && Object.hasOwn(item, item.type) && item.type !== 'title'
      ? [item.type]
      : []
  const values = [...valueNames, ...own].filter((name) => Object.hasOwn(item, name))
  if (values.length === 0) return null
  const field = isObject(item.field) ? item.field : {}
  const names = [
    ...[...labelNames, ...keyNames].map((name) => (values.includes(name) ? null : item[name])),
    ...['label', 'title', 'ref', 'id'].flatMap((name) => {
      const given = field[name]
      return [typeof given === 'string' ? (titles.get(given) ?? null) : null, given]
    }),
  ].filter((name) => typeof name === 'string' && name.trim() !== '') as string[]
  const others = Object.fromEntries(Object.entries(item).filter(([name]) => !values.includes(name)))
  return names.length === 0 || holdsNumber(others) ? null : { names: [...new Set(names)], values }
}

/** The text of a ticked option in place of its id. */
function withTexts(value: unknown, options: unknown): unknown {
  if (!Array.isArray(options)) return value
  const texts = new Map(
    options.filter(isObject).map((one) => [one.id, one.text ?? one.label ?? one.title ?? one.name]),
  )
  const textOf = (one: unknown) => texts.get(one) ?? one
  return Array.isArray(value) ? value.map(textOf) : textOf(value)
}

/** Of Typeform, which sends them beside the answers. */
function titlesIn(members: Members): readonly (readonly [string, string])[] {
  const fields = isObject(members.definition) ? members.definition.fields : null
  if (!Array.isArray(fields)) return []
  return fields
    .filter(isObject)
    .flatMap((one) => [one.id, one.ref].map((id) => [String(id), String(one.title ?? '')] as const))
}

type Around = {
  readonly path: readonly string[]
  /** The step before, where a name may need it. */
  readonly before: string | null
  readonly isOpened: boolean
  readonly isOther: boolean
  readonly isTags: boolean
  /** The values within say nothing by themselves. */
  readonly isSilent: boolean
  readonly depth: number
}

const isPlace = (step: string) => /^\d+$/.test(step)
/** With a number behind a name that is sent again. */
const plainStep = (step: string) => step.replace(/ \(\d+\)$/, '')

export function hear(root: unknown, options: Options = {}): readonly Heard[] {
  const { maxDepth = 64, silent = [], nowMs = Date.now() } = options
  const heard: Heard[] = []
  const titles = new Map<string, string>()

  const bare = silent.flatMap((name) => [
    name,
    name.replace(/\[([^[\]]*)\]/g, (_, step: string) => step && `.${step}`),
  ])
  const isSilent = (path: readonly string[]) =>
    bare.length > 0 &&
    [path, path.filter((step) => !isPlace(step)), path.slice(-1)].some((steps) =>
      bare.includes(plainStep(steps.join('.').replace(/(?<=.)\.value$/, ''))),
    )

  function add(path: readonly string[], under: Heard['under'], answer: Answer): void {
    if (answer !== 'nothing') heard.push({ path, under, answer })
  }

  /** Whether the name says anything. */
  function judge(
    names: readonly string[],
    value: unknown,
    path: readonly string[],
    { isOther }: Around,
  ): boolean {
    const said = names.map((name) => judgeName(name, isOther))
    const under = (['no', 'until', 'maybe', 'permission'] as const).find((one) => said.includes(one))
    if (under === undefined) return false
    if (under === 'until') {
      const ends = Date.parse(String(value))
      if (Number.isFinite(ends)) {
        if (ends > nowMs) add(path, 'no', 'yes')
      } else add(path, 'no', answerOf(value, 'no'))
      return true
    }
    const answer = answerOf(value, under)
    const isTps = under === 'no' && names.every((name) => judgeName(name.replace(/tps/i, ' ')) !== 'no')
    if (!isTps || answer === 'yes') add(path, under, answer)
    return true
  }

  function walk(value: unknown, around: Around): void {
    if (around.depth > maxDepth) {
      if (typeof value === 'object' && value !== null) add(around.path, 'no', 'unclear')
      return
    }
    if (typeof value === 'string') {
      const inner = around.isOpened ? null : openedText(value)
      if (inner !== null) walk(inner, { ...around, isOpened: true, depth: around.depth + 1 })
      else if (!around.isOther && !around.isSilent && valueSays(value, around.isTags ? 'tags' : 'entry'))
        add(around.path, 'value', 'yes')
    } else if (Array.isArray(value)) {
      for (const [at, item] of value.entries())
        walk(
          item,
          typeof item === 'object'
            ? { ...around, path: [...around.path, `${at}`], depth: around.depth + 1 }
            : around,
        )
    } else if (isObject(value)) walkMembers(value, around)
  }

  function walkMembers(members: Members, around: Around): void {
    for (const [id, title] of titlesIn(members)) titles.set(id, title)
    const named = namedOf(members, titles)
    const siblings = ['channel', 'medium', ...(named === null ? ['type'] : [])].map((name) => members[name])
    const isOther = around.isOther || siblings.some((one) => typeof one === 'string' && isOfOtherChannel(one))
    const here = { ...around, isOther }
    if (named !== null) walkNamed(members, named, here)
    for (const [name, member] of Object.entries(members)) {
      if (besides.includes(name) || named?.values.includes(name)) continue
      if (typeof member === 'string' && [...labelNames, ...keyNames].includes(name) && !around.isTags)
        continue
      walkMember(name, member, here)
    }
  }

  function walkNamed(item: Members, { names, values }: Named, around: Around): void {
    const path = [
      ...around.path.slice(0, -1),
      ...(around.path.length > 0 && !isPlace(around.path.at(-1) ?? '') && around.before !== null ? [] : []),
      names[0] as string,
    ]
    const isOther = around.isOther || names.some(isOfOtherChannel)
    const isQuiet =
      isSilent(path) || names.some((name) => isSilent([name]) || isSilent([...around.path, name]))
    const here = { ...around, path, isOther, before: names[0] ?? null, depth: around.depth + 1 }
    const answers = Object.fromEntries(values.map((name) => [name, withTexts(item[name], item.options)]))
    const isJudged = !isQuiet && judge(names, Object.values(answers), path, here)
    for (const answer of Object.values(answers))
      walkAnswer(answer, {
        ...here,
        isTags: around.isTags || isJudged || names.some((name) => tagsName.test(name)),
        isSilent: around.isSilent || isQuiet || isJudged,
      })
  }

  /** An answer is its text, or that of the option that it names. */
  function walkAnswer(answer: unknown, around: Around): void {
    if (isObject(answer)) {
      for (const [name, member] of Object.entries(answer))
        if (/^(?:labels?|names?|texts?|titles?|values?)$/.test(name)) walk(member, around)
        else if (!besides.includes(name)) walkMember(name, member, around)
    } else walk(answer, around)
  }

  function walkMember(name: string, member: unknown, around: Around): void {
    const path = [...around.path, name]
    const isQuiet = isSilent(path)
    const isOther = around.isOther || isOfOtherChannel(name)
    const here: Around = { ...around, path, isOther, depth: around.depth + 1 }
    const names = [
      plainStep(name),
      ...(around.before === null || isPlace(name) ? [] : [`${around.before}.${plainStep(name)}`]),
    ]
    const isJudged = !isQuiet && !isPlace(name) && judge(names, member, path, here)
    walk(member, {
      ...here,
      before: isQuiet || isJudged ? null : isPlace(name) ? around.before : plainStep(name),
      isTags: isJudged || around.isTags || tagsName.test(name),
      isSilent: around.isSilent || isQuiet || isJudged,
    })
  }

  walk(root, {
    path: [],
    before: null,
    isOpened: false,
    isOther: false,
    isTags: false,
    isSilent: false,
    depth: 0,
  })
  return heard
}
