// One recipe: where to begin, what to enter, and what to paste.
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
      {code !== null && (
        <div class="paste">
          <pre>{code.text}</pre>
          <div class="line">
            <CopyButton text={code.text} what={code.name} />
          </div>
        </div>
      )}
      <ul class="notes">
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
