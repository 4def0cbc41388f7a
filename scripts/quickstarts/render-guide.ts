import type { Guide, Setting, Step } from "../../app/(console)/quickstarts/guide";
import { PLACEHOLDER_KEY } from "../../app/(console)/quickstarts/guide";

/** The address that pages in docs show instead of the reader's own. */
export const DOCUMENTED = { base: "http://localhost:3000", key: PLACEHOLDER_KEY };

export const pageOf = ({ id }: Guide): string => `docs/quickstarts/${id}.md`;

const BEGIN = "<!-- Written by npm run quickstarts -->";
const END = "<!-- End -->";

/** Returns the text of a page with the steps of a guide, as the console shows them, between its two marks. */
export function replaceSteps(page: string, guide: Guide): string {
  const [before, rest] = splitAt(page, BEGIN);
  const [, after] = splitAt(rest, END);
  return `${before}${BEGIN}\n\n${renderSteps(guide)}\n\n${END}${after}`;
}

function splitAt(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark);
  if (at === -1) throw new Error(`The page has no line ${mark}`);
  return [text.slice(0, at), text.slice(at + mark.length)];
}

const renderSteps = ({ summary, write }: Guide): string =>
  [
    summary,
    `Replace \`${DOCUMENTED.base}\` by the address of your hub; the console's page **Quick starts** has it filled in.`,
    ...write(DOCUMENTED).flatMap(renderStep),
  ].join("\n\n");

function renderStep({ text, snippet, settings, link }: Step): string[] {
  return [
    text,
    ...(snippet ? [`\`\`\`${snippet.language}\n${snippet.code}\n\`\`\``] : []),
    ...(settings ? [renderSettings(settings)] : []),
    ...(link ? [`The console's page **Quick starts** has this link: **${link.label}**.`] : []),
  ];
}

const renderSettings = (settings: Setting[]): string =>
  ["| field | value |", "|---|---|", ...settings.map(({ name, value }) => `| ${name} | \`${value}\` |`)].join("\n");
