import { DEFAULT_FORMATS, type FormatSettings } from "./format-settings";

/** Formats values for people. */
export interface Formats extends FormatSettings {
  /** A number with at most this many decimal places, none by default. */
  number: (value: number, maxDecimals?: number) => string;
  /** An amount in EUR with these minimum and maximum decimal places. */
  euros: (value: number, minDecimals: number, maxDecimals: number) => string;
  /** An amount in US dollars, with as many decimal places as it has. */
  dollars: (value: number) => string;
  /** A share of 1: "45%". */
  percent: (share: number) => string;
  /** A size: "512 bytes", "1.5 MiB". */
  bytes: (bytes: number) => string;
  /** A duration: "820 ms", "3.4 s", "2 min 5 s", "1 h 3 min". */
  duration: (ms: number) => string;
  /** A date and time to the second. */
  dateTime: (iso: string) => string;
  date: (iso: string) => string;
  /** A UTC day (YYYY-MM-DD) with its year. */
  day: (day: string) => string;
  /** A UTC day without its year. */
  shortDay: (day: string) => string;
}

const MAX_CACHED = 100;
const cache = new Map<string, Formats>();

/** Returns the formatters of these settings. They are cached, because creating one takes longer than rendering a table row. */
export function getFormats({ locale, timeZone }: FormatSettings): Formats {
  const key = `${locale}|${timeZone}`;
  let formats = cache.get(key);
  if (!formats) {
    // Clients choose the settings, so their number is bounded.
    if (cache.size >= MAX_CACHED) cache.clear();
    cache.set(key, (formats = createFormats({ locale, timeZone })));
  }
  return formats;
}

const units = ["bytes", "KiB", "MiB", "GiB"];

function createFormats({ locale, timeZone }: FormatSettings): Formats {
  // The texts are in English, so other digits and calendars would be hard to read.
  const tag = `${locale}-u-ca-gregory-nu-latn`;
  const numberFormats = new Map<string, Intl.NumberFormat>();
  const format = (value: number, options: Intl.NumberFormatOptions) => {
    const key = Object.values(options).join();
    let found = numberFormats.get(key);
    if (!found) numberFormats.set(key, (found = new Intl.NumberFormat(tag, options)));
    return found.format(value);
  };
  const dates = (options: Intl.DateTimeFormatOptions) => {
    let found: Intl.DateTimeFormat | undefined;
    // Browsers and Node.js differ in the space before "PM".
    return (text: string) =>
      (found ??= new Intl.DateTimeFormat(tag, options)).format(new Date(text)).replaceAll("\u202f", " ");
  };
  const number = (value: number, maximumFractionDigits = 0) => format(value, { maximumFractionDigits });
  const money = (currency: string, value: number, minimumFractionDigits: number, maximumFractionDigits: number) => {
    const options = { style: "currency", currency, minimumFractionDigits, maximumFractionDigits } as const;
    return format(value, { ...options, currencyDisplay: "narrowSymbol" });
  };
  const fixed = (value: number) => format(value, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
  return {
    locale,
    timeZone,
    number,
    euros: (value, minimum, maximum) => money("EUR", value, minimum, maximum),
    dollars: (value) => money("USD", value, 2, 9),
    percent: (share) => format(share, { style: "percent", maximumFractionDigits: 0 }),
    bytes(bytes) {
      const power = Math.min(Math.floor(Math.log2(Math.max(bytes, 1)) / 10), units.length - 1);
      const amount = bytes / 1024 ** power;
      return `${number(amount, amount < 10 ? 1 : 0)} ${units[power]}`;
    },
    duration(ms) {
      if (ms < 1_000) return `${Math.max(Math.round(ms), 0)} ms`;
      if (ms < 59_950) return `${fixed(ms / 1_000)} s`;
      const seconds = Math.round(ms / 1_000);
      const minutes = Math.floor(seconds / 60);
      return minutes < 60 ? `${minutes} min ${seconds % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
    },
    dateTime: dates({ dateStyle: "medium", timeStyle: "medium", timeZone }),
    date: dates({ dateStyle: "medium", timeZone }),
    day: dates({ dateStyle: "medium", timeZone: "UTC" }),
    shortDay: dates({ day: "numeric", month: "short", timeZone: "UTC" }),
  };
}

/** The formats of texts that do not depend on the reader. */
export const defaultFormats = getFormats(DEFAULT_FORMATS);
