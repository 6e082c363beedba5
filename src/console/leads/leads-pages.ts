// The pages of leads and calls, which are loaded together: they share almost everything.
export { CallsPage } from '../calls/calls-page.tsx'
export { LeadsPage } from './leads-page.tsx'
export { SearchPage } from './search-page.tsx'
