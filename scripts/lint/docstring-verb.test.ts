import { RuleTester } from "eslint";
import tseslint from "typescript-eslint";
import { afterAll, describe, it } from "vitest";
import { docstringVerb } from "./docstring-verb.mjs";

Object.assign(RuleTester, { afterAll, describe, it, itOnly: it.only });

const tester = new RuleTester({ languageOptions: { parser: tseslint.parser } });
const invalid = (code: string, word: string) => ({ code, errors: [{ messageId: "verb", data: { word } }] });

tester.run("docstring-verb", docstringVerb, {
  valid: [
    "/** Returns the id. */ export function idOf() {}",
    "/**\n * Inserts a row.\n * The id is new.\n */\nexport const insert = () => 1;",
    "/** Passes its props on. */ export default function Page() {}",
    "/** Has the overload for texts. */ export function read(text: string): string;",
    "/** The limit of one page. */ export const MAX_ITEMS = 100;",
    "/** A page. */ export interface Page { id: string }",
    "/** The id. */ function idOf() {}",
    "// The id.\nexport function idOf() {}",
    "/* The id. */ export function idOf() {}",
    "export function idOf() {}",
  ],
  invalid: [
    invalid("/** The id. */ export function idOf() {}", "The"),
    invalid("/**\n * Whether it is valid.\n */\nexport const isValid = () => true;", "Whether"),
    invalid("/** A page. */ export default function Page() {}", "A"),
    invalid("/** Return the id. */ export function idOf() {}", "Return"),
    invalid("/** returns the id. */ export async function idOf() {}", "returns"),
    invalid("/** This returns the id. */ export function idOf() {}", "This"),
    invalid("/** `id` without its prefix. */ export function idOf() {}", "`id`"),
    invalid("/** */ export function idOf() {}", ""),
  ],
});
