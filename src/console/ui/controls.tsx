// Buttons, checkboxes and switches.
import type { ButtonHTMLAttributes, ComponentChildren } from 'preact'

type ButtonProps = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'onClick'> & {
  /** Not to be used now. It keeps the focus, which `disabled` would lose. */
  readonly isOff?: boolean
  readonly onClick?: () => unknown
}

/** Submits nothing unless its type says so. */
export function Button({ isOff = false, onClick, ...attributes }: ButtonProps) {
  const press = () => isOff || onClick?.()
  return <button type="button" aria-disabled={isOff || undefined} {...attributes} onClick={press} />
}

type TickProps = {
  readonly name?: string
  readonly value?: string
  readonly checked?: boolean
  readonly disabled?: boolean
  readonly onTick?: (isTicked: boolean) => void
  readonly children: ComponentChildren
}

export const Tick = ({ onTick, children, ...attributes }: TickProps) => (
  <label class="tick">
    <input
      type="checkbox"
      {...attributes}
      onChange={({ currentTarget }) => onTick?.(currentTarget.checked)}
    />
    {children}
  </label>
)

type SwitchProps<Name> = {
  readonly name: string
  readonly options: readonly (readonly [option: Name, text: string])[]
  readonly chosen: Name
  readonly onChoose: (option: Name) => void
}

/** One of a few views, side by side. */
export const Switch = <Name extends string>({ name, options, chosen, onChoose }: SwitchProps<Name>) => (
  <fieldset class="switch">
    <legend class="unseen">{name}</legend>
    {options.map(([option, text]) => (
      <Button key={option} aria-pressed={option === chosen} onClick={() => onChoose(option)}>
        {text}
      </Button>
    ))}
  </fieldset>
)
