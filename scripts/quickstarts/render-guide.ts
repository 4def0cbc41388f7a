import type { Guide, Setting, Step } from "../../app/(console)/quickstarts/guide";
import { PLACEHOLDER_KEY } from "../../app/(console)/quickstarts/guide";
import { replaceSection } from "../docs/replace-section";

/** The address that pages in docs show instead of the reader's own. */
export const DOCUMENTED = { base: "http://localhost:3000", key: PLACEHOLDER_KEY };

export const pageOf = ({ id }: Guide): string => `docs/quickstarts/${id}.md`;

/** Returns the text of a page with the steps of a guide, as the console shows them, between its two marks. */
export const replaceSteps = (page: string, guide: Guide): string =>
  replaceSection(page, "Written by npm run quickstarts", renderSteps(guide));

const renderSteps = ({ summary, write }: Guide): string =>
  [
    summary,
    `Replace \`${DOCUMENTED.base}\` with the URL of your hub; the console's page **Quick starts** shows these settings with it.`,
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
