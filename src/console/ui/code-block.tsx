// Text to copy and paste, such as a command.
import { CopyButton } from './copy-button.tsx'

type Props = {
  readonly text: string
  /** For screen readers. */
  readonly what: string
}

export const CodeBlock = ({ text, what }: Props) => (
  <div class="group">
    <pre>{text}</pre>
    <div class="line">
      <CopyButton text={text} what={what} />
    </div>
  </div>
)
