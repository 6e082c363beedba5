/** A problem that the operator can solve: printed in one line, with exit code 1. */
export class CommandFailed extends Error {}
