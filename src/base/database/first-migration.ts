// The first migration is 2000_init.sql. Versions before 2.0 had others, which are not upgraded: what has applied one of
// them is left as it is.
const firstMigration = '2000'

/** `applied` are the names of the migrations that a database has recorded. */
export const isOfVersion1 = (applied: Iterable<string>) => [...applied].some((name) => name < firstMigration)

export const ofVersion1 = 'is of a version before 2.0, which cannot be upgraded'

/** SQL: a row when the database, whose migrations wrangler has recorded, is of a version before 2.0. */
export const selectVersion1 = `select name from d1_migrations where name < '${firstMigration}' limit 1`
