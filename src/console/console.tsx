// The operator's page: begins here, and speaks to the API only.
import { render } from 'preact'
import { App } from './app.tsx'

const root = document.getElementById('console')
if (root !== null) render(<App />, root)
