// What only a person can say of a file before it is read: whether its letters are right, which sheet of a
// workbook it is, and whether what is hidden in it counts.
import {
  describeHidden,
  type FileForm,
  type FileQuestion as Question,
} from '../../queue/leads/file/open/opened-file.ts'
import { Button } from '../ui/controls.tsx'
import { Select } from '../ui/fields/select.tsx'
import { Examples } from '../ui/tables/changed-numbers.tsx'

type Props = { readonly question: Question; readonly onAnswer: (form: FileForm) => void }

export const FileQuestion = ({ question, onAnswer }: Props) =>
  question.kind === 'sheet' ? (
    <Select
      label="Which sheet?"
      value=""
      options={['', ...question.names].map((name) => [name, name || 'Choose a sheet'])}
      onChoose={(sheet) => onAnswer({ sheet })}
    />
  ) : question.kind === 'hidden' ? (
    <div class="group">
      <p>The workbook has {describeHidden(question)}. Are they to be imported, too?</p>
      <div class="line">
        <Button class="primary" onClick={() => onAnswer({ hidden: 'skip' })}>
          No, leave them out
        </Button>
        <Button onClick={() => onAnswer({ hidden: 'keep' })}>Yes, import them</Button>
      </div>
    </div>
  ) : (
    <div class="group">
      <p>Not UTF-8. As Windows-1252:</p>
      <Examples
        first={question.cells.map(({ row, before, after }) => ({ row, value: before, number: after }))}
      />
      <p>Does this read right? If not, save the file as “CSV UTF-8”.</p>
      <div>
        <Button class="primary" onClick={() => onAnswer({ encoding: 'windows-1252' })}>
          Yes, read it so
        </Button>
      </div>
    </div>
  )
