import { invalidInput } from "../../errors";

/** VAT ids of the member states of the EU, without the prefix, as the Commission's VIES describes them. */
const patterns = new Map<string, RegExp>([
  ["AT", /^U\d{8}$/],
  ["BE", /^[01]\d{9}$/],
  ["BG", /^\d{9,10}$/],
  ["CY", /^\d{8}[A-Z]$/],
  ["CZ", /^\d{8,10}$/],
  ["DE", /^\d{9}$/],
  ["DK", /^\d{8}$/],
  ["EE", /^\d{9}$/],
  ["ES", /^[A-Z0-9]\d{7}[A-Z0-9]$/],
  ["FI", /^\d{8}$/],
  ["FR", /^[A-HJ-NP-Z0-9]{2}\d{9}$/],
  ["GR", /^\d{9}$/],
  ["HR", /^\d{11}$/],
  ["HU", /^\d{8}$/],
  ["IE", /^(\d{7}[A-W][A-I]?|\d[A-Z+*]\d{5}[A-W])$/],
  ["IT", /^\d{11}$/],
  ["LT", /^(\d{9}|\d{12})$/],
  ["LU", /^\d{8}$/],
  ["LV", /^\d{11}$/],
  ["MT", /^\d{8}$/],
  ["NL", /^[A-Z0-9+*]{10}\d{2}$/],
  ["PL", /^\d{10}$/],
  ["PT", /^\d{9}$/],
  ["RO", /^\d{2,10}$/],
  ["SE", /^\d{10}01$/],
  ["SI", /^\d{8}$/],
  ["SK", /^\d{10}$/],
]);

/** Returns whether a country is a member state of the EU. */
export const isInEu = (country: string): boolean => patterns.has(country);

const regionNames = new Intl.DisplayNames("en", { type: "region", fallback: "none" });
/** Regions with a name that ISO 3166-1 does not list as countries. Kosovo (XK) has no other code. */
const NO_COUNTRIES = new Set(["AC", "CP", "CQ", "DG", "EA", "EU", "EZ", "IC", "QO", "TA", "UN", "XA", "XB", "ZZ"]);

/** Returns the country with this code of ISO 3166-1, in upper case. Throws a 400 for any other text. */
export function parseCountry(code: string): string {
  const country = code.trim().toUpperCase();
  if (country === "UK") throw invalidInput("country", "must be GB for the United Kingdom");
  if (!/^[A-Z]{2}$/.test(country) || !isCountry(country))
    throw invalidInput("country", "must be a country code of two letters, such as DE");
  return country;
}

// A former code, such as SU, has the name of its successor, and is replaced by its code in a locale.
const isCountry = (code: string): boolean =>
  regionNames.of(code) !== undefined && new Intl.Locale(`und-${code}`).region === code && !NO_COUNTRIES.has(code);

/** Greek VAT ids begin with EL. */
const prefixOf = (country: string): string => (country === "GR" ? "EL" : country);

/**
 * Returns a VAT id in upper case, without spaces, dots and hyphens, and with its prefix if the country is in the EU. Throws a 400
 * for one that does not have the country's format; whether it is registered is not known offline.
 */
export function parseVatId(country: string, typed: string): string {
  const text = typed.toUpperCase().replaceAll(/[\s.-]/g, "");
  const pattern = patterns.get(country);
  if (!pattern) {
    if (!/^[A-Z0-9]{4,20}$/.test(text)) throw invalidInput("vat_id", "must have 4 to 20 letters and digits");
    return text;
  }
  const prefix = prefixOf(country);
  const rest = text.startsWith(prefix) ? text.slice(prefix.length) : text;
  if (!pattern.test(rest)) throw invalidInput("vat_id", `is not a valid VAT id of ${prefix}; check it for typos`);
  return prefix + rest;
}
