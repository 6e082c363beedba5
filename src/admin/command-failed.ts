/**
 * A problem that the operator can solve: printed in one line, with exit code 1. `options`: each in a line of its own.
 */
export class CommandFailed extends Error {
  readonly options: readonly string[]

  constructor(message: string, options: readonly string[] = []) {
    super(message)
    this.options = options
  }
}
