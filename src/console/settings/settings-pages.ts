// One file to load: these pages share most of what they are made of.
export { CallingPage } from '../calling/calling-page.tsx'
export { ConnectPage } from '../connect/connect-page.tsx'
export { ImportPage } from '../import/import-page.tsx'
export { SourcesPage } from '../sources/sources-page.tsx'
export { CompanyPage, SettingsPage } from './settings-page.tsx'
