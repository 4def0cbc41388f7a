import { z } from "zod";

/** Returns whether a time is valid and has a year of four digits in UTC, as all times that the hub shows. */
export function hasFourDigitYear(time: Date): boolean {
  const year = time.getUTCFullYear();
  return year >= 1 && year <= 9999;
}

/** A time in ISO 8601 with an offset or `Z`, which may not move it out of the years that have four digits. */
export const isoTime = z.iso
  .datetime({ offset: true, abort: true })
  .refine((text) => hasFourDigitYear(new Date(text)), "must be in the years 0001 to 9999 in UTC");
