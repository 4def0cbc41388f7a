import { priceUnitNames, priceUnits } from "../../server/catalogue/price-units";
import { describeEvent, eventNames } from "../../server/domain/events/event-names";
import { personalData } from "./personal-data";
import { replaceSection } from "./replace-section";

/** A table on a page in docs/ whose rows come from the code. */
interface Table {
  page: string;
  name: string;
  header: string[];
  rows: string[][];
}

const toCode = (text: string): string => `\`${text}\``;

export const tables: Table[] = [
  {
    page: "docs/webhooks.md",
    name: "events",
    header: ["event", "sent when"],
    rows: eventNames.map((name) => {
      const { summary, note } = describeEvent(name);
      return [toCode(name), note ? `${summary}. ${note}` : summary];
    }),
  },
  {
    page: "docs/catalogue.md",
    name: "price units",
    header: ["`per`", "multiplied by", "the customer pays for", "example, without `tiers`"],
    rows: priceUnitNames.map((name) => {
      const { multipliedBy, paysFor, example } = priceUnits[name];
      return [toCode(name), multipliedBy, paysFor, toCode(example)];
    }),
  },
  {
    page: "docs/privacy.md",
    name: "personal data",
    header: ["data", "where", "why", "how long", "who sees it"],
    rows: personalData.kinds.map(({ name, what, columns, alsoIn, why, kept, seenBy }) => {
      const where = Object.keys(columns).map(toCode).join(", ");
      return [`**${name}.** ${what}`, alsoIn ? `${where}; ${alsoIn}` : where, why, kept, seenBy];
    }),
  },
];

/** Returns the text of a page in which the rows of a table are replaced with those of the code. */
export function replaceTable(page: string, { name, header, rows }: Table): string {
  const lines = [toLine(header), `|${"---|".repeat(header.length)}`, ...rows.map(toLine)];
  return replaceSection(page, `Written by npm run docs: ${name}`, lines.join("\n"));
}

const toLine = (cells: string[]): string => `| ${cells.join(" | ")} |`;
