// The days of a week, and its hours as the console edits them.

export const weekDays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
export type WeekDay = (typeof weekDays)[number]

/** From and until, such as 09:00 and 17:00. */
export type Window = readonly string[]
export type WeekHours = Readonly<Record<WeekDay, readonly Window[]>>
