// The refusal of a command that would add something to a company that a move copies.
import { CommandFailed } from './command-failed.ts'

export const companyMoving = (company: string) =>
  new CommandFailed(`${company} is moving to another store: try again when the move has ended`)
