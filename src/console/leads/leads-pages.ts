// Both pages of leads, which are loaded together: they share almost everything.
export { LeadsPage } from './leads-page.tsx'
export { SearchPage } from './search-page.tsx'
