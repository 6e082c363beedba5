// What a body says of calls, wherever in it: as a member beside a value, behind a label, in a list, in a text that is
// JSON. A form has its names beside their values, a CRM its channels around them.
import {
  type Answer,
  answerOf,
  dateMsOf,
  isMembers,
  openedText,
  partSays,
  timeMsOf,
  valueSays,
  wordAnswer,
} from './answers.ts'
import { wordsOf } from './fold.ts'
import { judgeName, type Under } from './names.ts'
import { isOfOtherChannel, remembering } from './phrases.ts'

/** One thing that a body says of calls. */
export type Heard = {
  /**
   * Steps from the root, as sent. Of an item with its name beside it, that name is the last, in place of the item's
   * own.
   */
  readonly path: readonly string[]
  /** `value`: the value says it by itself. */
  readonly under: Under | 'value'
  /** Never `nothing`. */
  readonly answer: Answer
}

type Options = {
  /** How many names deep, places in lists not counted. Deeper, nobody can say what is meant: unclear. */
  readonly maxDepth?: number
  /** Names that say nothing. */
  readonly silent?: readonly string[]
  /** False: what values say by themselves is not heard, which costs more than names do. */
  readonly values?: boolean
  /** Against which `until` is read. */
  readonly nowMs?: number
}

type Members = Readonly<Record<string, unknown>>

/** Where a value has its name beside it: a label for people, and a key for machines. */
const labelNames = 'label title question name column_name columnName fieldName field_name'.split(' ')
const keyNames = 'column_id key ref code attribute slug field id'.split(' ')
const valueNames = [
  ...'value values string_value stringValue answer text field_value fieldValue content'.split(' '),
  ...'boolean checkbox checked selected'.split(' '),
]
/** Where the name beside it says something of calls, these are its value, too. */
const stateNames = [
  ...'enabled active on set status state val data response result granted given accepted allowed agreed'.split(
    ' ',
  ),
  ...'subscribed fieldVal fieldValueBoolean fieldValueString fieldValueArray'.split(' '),
]
/** What a sender keeps beside the values: earlier ones, and the form itself. */
const besides = ['options', 'choices', 'definition', 'versions']
const tagWords = /^(?:tags?|labels?|lists?|status|disposition|stage|results?|outcome)$/
/** Whether what stands under a name is tags, a status or such: there, "stop" alone says it. */
export const isTagName = remembering((name) => wordsOf(name).some((word) => tagWords.test(word)))

/** Channels, and places for what people write. */
const container = /^(?:text|post|mail)$/i

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== ''
const isPlace = (step: string) => /^\d+$/.test(step)
/** Without the number of a name that is sent again. */
export const withoutCount = (step: string) => step.replace(/ \(\d+\)$/, '')
/** As steps, where a form has its own way to write them: `fields[name]`, `boxes[]`. */
export const dotted = (name: string) =>
  name.replace(/\[([^[\]]*)\]/g, (_, step: string) => step && `.${step}`)

const isPhoneName = (name: string) => /phone|mobil|telefon|^tel$/i.test(name)
/** A person or a deal has a name and a value, too. */
const holdsNumber = (members: Members, depth = 0): boolean =>
  Object.entries(members).some(([name, value]) =>
    isMembers(value)
      ? depth < 8 && holdsNumber(value, depth + 1)
      : typeof value === 'string' && isPhoneName(name) && /(?:\d\D*){7}/.test(value),
  )

type Named = { readonly names: readonly string[]; readonly values: readonly string[] }

/** Null: it is no value with its name beside it. `titles`: of a form's questions, by their id. */
function namedOf(item: Members, titles: ReadonlyMap<unknown, string>): Named | null {
  const { type } = item
  const own = isText(type) && !labelNames.includes(type) ? [type] : []
  const known = [...new Set([...valueNames, ...own])].filter((name) => Object.hasOwn(item, name))
  const field = isMembers(item.field) ? item.field : {}
  const names = [
    ...[...labelNames, ...keyNames].filter((name) => !known.includes(name)).map((name) => item[name]),
    ...[field.label, field.title, titles.get(field.id), titles.get(field.ref), field.ref, field.id],
  ].filter(isText)
  const isLoud = known.length === 0 && names.some((name) => judgeName(name) !== null)
  const values = isLoud ? stateNames.filter((name) => Object.hasOwn(item, name)) : known
  if (values.length === 0 || names.length === 0) return null
  const others = Object.entries(item).filter(([name]) => !values.includes(name))
  return holdsNumber(Object.fromEntries(others)) ? null : { names: [...new Set(names)], values }
}

const itemsOf = (value: unknown): readonly Members[] => (Array.isArray(value) ? value.filter(isMembers) : [])

/** The texts of ticked options in place of their ids. */
function withTexts(value: unknown, options: unknown): unknown {
  const texts = new Map(
    itemsOf(options).map((one) => [one.id, one.text ?? one.label ?? one.title ?? one.name]),
  )
  const textOf = (one: unknown) => texts.get(one) ?? one
  return Array.isArray(value) ? value.map(textOf) : textOf(value)
}

/**
 * An option with a member of its own, as Tally sends it beside its question: `May we call you? (No)`. Null: it is none.
 */
function optionOfNo({ label, value }: Members): string | null {
  const [, question = '', option = ''] = (isText(label) && /^(.+) \(([^()]+)\)$/.exec(label)) || []
  return typeof value === 'boolean' && wordAnswer(option) === 'no' ? question : null
}

type Around = {
  readonly path: readonly string[]
  /** The step before. Null: it has been judged with what is in it. */
  readonly before: string | null
  readonly isOpened: boolean
  /** A step names other channels than calls. */
  readonly isOther: boolean
  /** How many levels the values within are such as tags: a tag may be a text, or have its name. */
  readonly tagLevels: number
  /** What is within says nothing by itself. */
  readonly isSilent: boolean
  readonly isJudged: boolean
  readonly depth: number
}

const outside: Around = {
  path: [],
  before: null,
  isOpened: false,
  isOther: false,
  tagLevels: 0,
  isSilent: false,
  isJudged: false,
  depth: 0,
}

/** However few its names. */
const deepest = 64
const tagLevelsMax = 2

/** Whether a path is one of the names that say nothing. */
function silencer(silent: readonly string[]) {
  const silentNames = new Set(silent.flatMap((name) => [name, dotted(name)]))
  return (path: readonly string[]) =>
    [path, path.filter((step) => !isPlace(step)), path.slice(-1)].some((steps) =>
      silentNames.has(withoutCount(steps.join('.').replace(/(?<=.)\.value$/, ''))),
    )
}

/** When it is, where a value is a date or a time, alone or in a list. */
function endOf(value: unknown): number | null {
  const [one, ...others] = [value].flat()
  if (others.length > 0) return null
  return typeof one === 'number' ? timeMsOf(one) : typeof one === 'string' ? dateMsOf(one) : null
}

/** What a name says, which is heard with its value. Null: nothing of calls. */
function saidUnder(names: readonly string[], value: unknown, isOther: boolean, nowMs: number) {
  const said = names.map((name) => judgeName(name, isOther))
  const found = (['no', 'until', 'maybe', 'permission'] as const).find((one) => said.includes(one))
  if (found === undefined) return null
  const under = found === 'until' ? 'no' : found
  // "Forever" is no date, and no end.
  const endsMs = found === 'until' ? endOf(value) : null
  const answer = endsMs !== null && endsMs <= nowMs ? 'nothing' : answerOf(value, under)
  // Three letters that mean much else, too.
  const isTps =
    names.some((name) => /tps/i.test(name)) &&
    judgeName(names.join(' ').replace(/tps/gi, ''), isOther) === null
  return { under, answer: isTps && answer !== 'yes' ? 'nothing' : answer }
}

const isItsName = (name: string, named: Named | null) =>
  labelNames.includes(name) ||
  ['id', 'key', 'ref'].includes(name) ||
  (named !== null && keyNames.includes(name))

export function hear(root: unknown, options: Options = {}): readonly Heard[] {
  const { maxDepth = deepest, silent = [], values = true, nowMs = Date.now() } = options
  const heard: Heard[] = []
  const titles = new Map<unknown, string>()
  const isSilent = silencer(silent)

  function add(path: readonly string[], under: Heard['under'], answer: Answer): void {
    if (answer !== 'nothing') heard.push({ path, under, answer })
  }

  function judge(names: readonly string[], value: unknown, { path, isOther }: Around): Under | null {
    const said = saidUnder(names, value, isOther, nowMs)
    if (said !== null) add(path, said.under, said.answer)
    return said?.under ?? null
  }

  function walk(value: unknown, around: Around): void {
    const { path, depth } = around
    if (typeof value === 'string') {
      const inner = around.isOpened ? null : openedText(value)
      const isSilent = around.isSilent || (around.isOther && !container.test(path.at(-1) ?? ''))
      if (inner !== null) walk(inner, { ...around, isOpened: true })
      else if (values && !isSilent && (around.tagLevels > 0 ? partSays(value, 'tags') : valueSays(value)))
        add(path, 'value', 'yes')
    } else if (typeof value !== 'object' || value === null) return
    else if (depth >= deepest) add(path, 'no', 'unclear')
    else if (Array.isArray(value)) {
      for (const [at, item] of value.entries())
        walk(item, {
          ...around,
          depth: depth + 1,
          path: typeof item === 'object' ? [...path, `${at}`] : path,
        })
    } else if (path.filter((step) => !isPlace(step)).length >= maxDepth) add(path, 'no', 'unclear')
    else walkMembers(value as Members, { ...around, depth: depth + 1 })
  }

  function walkMembers(members: Members, around: Around): void {
    // Typeform sends its questions beside the answers.
    const { fields } = isMembers(members.definition) ? members.definition : {}
    for (const { id, ref, title } of itemsOf(fields)) for (const key of [id, ref]) titles.set(key, `${title}`)
    const named = namedOf(members, titles)
    const channels = ['channel', 'medium', ...(named === null ? ['type'] : [])].map((name) => members[name])
    const here = {
      ...around,
      isOther: around.isOther || channels.some((one) => isText(one) && isOfOtherChannel(one)),
    }
    if (named !== null) walkNamed(members, named, here)
    for (const [name, member] of Object.entries(members)) {
      if (besides.includes(name) || named?.values.includes(name)) continue
      // Beside a number it is a person's, not that of an item.
      const isPersons = () => /^(?:name|label)$/.test(name) && holdsNumber(members)
      const isHeard = named === null && (around.tagLevels > 0 || isPersons())
      if (typeof member !== 'string' || !isItsName(name, named) || isHeard) walkMember(name, member, here)
    }
  }

  function walkNamed(item: Members, { names, values }: Named, around: Around): void {
    const question = optionOfNo(item)
    if (question !== null) {
      if (item.value === true)
        walkNamed({ ...item, label: question, value: 'no' }, { names: [question], values }, around)
      return
    }
    const path = [...around.path.slice(0, -1), names[0] as string]
    const isQuiet = names.some(
      (name) =>
        isSilent([name]) || isSilent([...path.slice(0, -1), name]) || isSilent([...around.path, name]),
    )
    const isOther = around.isOther || names.some(isOfOtherChannel)
    const answers = Object.fromEntries(values.map((name) => [name, withTexts(item[name], item.options)]))
    const here: Around = { ...around, path, isOther }
    const under = isQuiet || around.isJudged ? null : judge(names, Object.values(answers), here)
    const within: Around = {
      ...here,
      before: isQuiet || under === 'no' ? null : (names[0] as string),
      tagLevels: under !== null || names.some(isTagName) ? tagLevelsMax : around.tagLevels,
      isSilent: around.isSilent || isQuiet || under === 'no',
      isJudged: around.isJudged || under !== null,
    }
    for (const answer of Object.values(answers)) walkAnswer(answer, within)
  }

  /** Its texts, or those of what it has chosen. */
  function walkAnswer(answer: unknown, around: Around): void {
    if (!isMembers(answer)) walk(answer, around)
    else
      for (const [name, member] of Object.entries(answer))
        if (/^(?:labels?|names?|texts?|titles?|values?)$/.test(name)) walk(member, around)
        else if (!besides.includes(name)) walkMember(name, member, around)
  }

  function walkMember(name: string, member: unknown, around: Around): void {
    const path = [...around.path, name]
    const step = withoutCount(name)
    const isQuiet = isSilent(path)
    const here = { ...around, path, isOther: around.isOther || isOfOtherChannel(name) }
    const names = around.before === null ? [step] : [step, `${around.before}.${step}`]
    const under = isQuiet || isPlace(name) ? null : judge(names, member, here)
    walk(member, {
      ...here,
      before: isQuiet || under === 'no' ? null : isPlace(name) ? around.before : step,
      tagLevels: under !== null || isTagName(name) ? tagLevelsMax : around.tagLevels - 1,
      isSilent: around.isSilent || isQuiet || under === 'no',
      isJudged: under !== null,
    })
  }

  walk(root, outside)
  return heard
}
