// One recipe: where to begin, what to enter, and what to paste.
import { Facts } from '../ui/card.tsx'
import { CodeBlock } from '../ui/code-block.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import type { Recipe } from './recipes.ts'

export function RecipePanel({ start, fields, code, notes, docs }: Recipe) {
  return (
    <>
      <p>{start}</p>
      {fields.length > 0 && (
        <Facts
          kind="fields recipe"
          facts={fields.map(([name, value, isCopied]) => [name, isCopied ? <Copied text={value} /> : value])}
        />
      )}
      {code !== null && <CodeBlock text={code.text} what={code.name} />}
      <ul class="muted bullets">
        {notes.map((note) => (
          <li key={note}>{note}</li>
        ))}
      </ul>
      <p>
        <a href={docs.address}>{docs.words}</a>
      </p>
    </>
  )
}

const Copied = ({ text }: { readonly text: string }) => (
  <>
    <code>{text}</code>
    <span class="line">
      <CopyButton text={text} what={text} />
    </span>
  </>
)
