// Buttons and checkboxes.
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

type FormButtonsProps = { readonly submit: string; readonly onCancel: () => void }

/** The end of a form that opens in place. */
export const FormButtons = ({ submit, onCancel }: FormButtonsProps) => (
  <div class="line wide">
    <Button type="submit" class="primary">
      {submit}
    </Button>
    <Button class="subtle" onClick={onCancel}>
      Cancel
    </Button>
  </div>
)

type TickProps = {
  readonly name?: string
  readonly value?: string
  readonly checked?: boolean
  readonly defaultChecked?: boolean
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
