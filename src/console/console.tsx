// Starts the operator's page, which uses the API only.
import { render } from 'preact'
import { App } from './app.tsx'
import { keepFocus } from './ui/keep-focus.ts'

const root = document.getElementById('console')
if (root !== null) {
  keepFocus(root)
  render(<App />, root)
}
