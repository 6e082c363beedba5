// A choice among few: one of a list, or one of several radio buttons.
import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'

type SelectProps = {
  /** Before it. Without one, the caller labels it. */
  readonly label?: string
  /** For the label. */
  readonly class?: string
  readonly value: string | number
  readonly id?: string
  readonly 'aria-label'?: string
  readonly options: readonly (readonly [value: string | number, text: string])[]
  readonly onChoose: (value: string) => unknown
}

export function Select({ label, class: name, options, onChoose, ...attributes }: SelectProps) {
  const id = useId()
  const select = (
    <select id={id} {...attributes} onChange={({ currentTarget }) => onChoose(currentTarget.value)}>
      {options.map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </select>
  )
  if (label === undefined) return select
  return (
    <label class={name} for={id}>
      {label}
      {select}
    </label>
  )
}

type RadioProps = {
  readonly name: string
  readonly checked: boolean
  readonly onChoose: () => void
  readonly children: ComponentChildren
}

type SentencesProps<Option extends string> = {
  readonly name: string
  /** What each option means. */
  readonly sentences: Readonly<Record<Option, string>>
  readonly chosen: Option | null
  readonly onChoose: (option: Option) => void
}

export const Sentences = <Option extends string>({
  name,
  sentences,
  chosen,
  onChoose,
}: SentencesProps<Option>) =>
  (Object.keys(sentences) as Option[]).map((option) => (
    <Radio key={option} name={name} checked={chosen === option} onChoose={() => onChoose(option)}>
      {option} <span class="muted small">{sentences[option]}</span>
    </Radio>
  ))

export const Radio = ({ onChoose, children, ...attributes }: RadioProps) => (
  <label class="choice">
    <input type="radio" {...attributes} onChange={onChoose} />
    <span>{children}</span>
  </label>
)
