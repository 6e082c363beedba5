// One recipe: where to begin, what to enter, and what to paste.
import { CodeBlock } from '../ui/code-block.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import type { Recipe } from './recipes.ts'

export function RecipePanel({ start, fields, code, notes, docs }: Recipe) {
  return (
    <>
      <p>{start}</p>
      {fields.length > 0 && (
        <dl class="fields recipe">
          {fields.map(([name, value, isCopied], index) => (
            <div key={index}>
              <dt>{name}</dt>
              <dd>
                {isCopied ? <code>{value}</code> : value}
                {isCopied && (
                  <span class="line">
                    <CopyButton text={value} what={value} />
                  </span>
                )}
              </dd>
            </div>
          ))}
        </dl>
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
