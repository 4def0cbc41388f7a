/** What the browser reports, kept in a cookie so that the server can render with it. */
export const BROWSER_FORMATS_COOKIE = "browser_formats";
/** What was chosen in Settings instead. */
export const CHOSEN_FORMATS_COOKIE = "formats";

/** How numbers, amounts and times are written. */
export interface FormatSettings {
  /** A BCP 47 tag of language, script and region. */
  locale: string;
  /** An IANA time zone. */
  timeZone: string;
}

/** Settings, each of which may be missing. */
export type PartialFormats = { [Name in keyof FormatSettings]: FormatSettings[Name] | null };

export const DEFAULT_FORMATS: FormatSettings = { locale: "en", timeZone: "UTC" };

/** Returns the settings of a cookie's value, without those that no formatter accepts. */
export function readFormatsCookie(value: string | undefined): PartialFormats {
  const [locale = "", timeZone = ""] = (value ?? "").split("|");
  return { locale: toLocale(locale), timeZone: toTimeZone(timeZone) };
}

export const writeFormatsCookie = ({ locale, timeZone }: PartialFormats): string =>
  encodeURIComponent(`${locale ?? ""}|${timeZone ?? ""}`);

/** Returns the first language that an `Accept-Language` header names, with which a browser's first page is rendered. */
export const readAcceptedLocale = (header: string | null): string | null =>
  toLocale((header ?? "").split(/[,;]/, 1)[0]!.trim());

/** Returns the settings that apply: each as chosen, else as in the browser. */
export const resolveFormats = (chosen: PartialFormats, browser: PartialFormats): FormatSettings => ({
  locale: chosen.locale ?? browser.locale ?? DEFAULT_FORMATS.locale,
  timeZone: chosen.timeZone ?? browser.timeZone ?? DEFAULT_FORMATS.timeZone,
});

const MAX_LENGTH = 64;

/** Returns a tag without its extensions; null for one that is invalid or unknown to this runtime. */
export function toLocale(tag: string): string | null {
  if (tag === "" || tag.length > MAX_LENGTH) return null;
  try {
    const { language, script, region } = new Intl.Locale(tag);
    const locale = [language, script, region].filter(Boolean).join("-");
    return Intl.NumberFormat.supportedLocalesOf(locale).length > 0 ? locale : null;
  } catch {
    return null;
  }
}

/** Returns the time zone if this runtime knows it, else null. */
export function toTimeZone(name: string): string | null {
  if (name === "" || name.length > MAX_LENGTH) return null;
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return name;
  } catch {
    return null;
  }
}
