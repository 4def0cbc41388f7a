import { Fragment } from "react";
import { type ErrorCode, errorTable } from "@/server/error-table";
import { CopyButton } from "../../../ui/copy-button";
import { Link } from "../../../ui/link";
import type { Operation, Response } from "../document";
import { exampleOfResponse } from "../example-of";
import { Prose } from "../prose";
import { TypeName } from "./fields";

interface Props {
  operation: Operation;
}

const isError = ([status]: [string, Response]) => status.startsWith("4") || status.startsWith("5");

/** Lists the responses of an operation that are no errors. */
export const Responses = ({ operation: { responses } }: Props) => (
  <ul className="grid gap-2 text-sm leading-6">
    {Object.entries(responses)
      .filter((entry) => !isError(entry))
      .map(([status, { description, content }]) => (
        <li key={status}>
          <span className="status">{status}</span> <Prose>{description}</Prose>{" "}
          {Object.values(content ?? {})[0]?.schema.$ref && <TypeName schema={Object.values(content!)[0]!.schema} />}
        </li>
      ))}
  </ul>
);

/** Lists the errors of an operation, each code with a link to its explanation. */
export const ErrorList = ({ operation: { responses } }: Props) => (
  <ul className="grid gap-2 text-sm leading-6 text-soft">
    {Object.entries(responses)
      .filter(isError)
      .map(([status, { description }]) => (
        <li key={status}>
          <span className="status">{status}</span> <LinkedCodes>{description}</LinkedCodes>
        </li>
      ))}
  </ul>
);

const isErrorCode = (text: string): text is ErrorCode => Object.hasOwn(errorTable, text);

/** Renders the description of an error response; each error code in backticks becomes a link. */
const LinkedCodes = ({ children }: { children: string }) =>
  children.split("`").map((part, index) => {
    if (index % 2 === 0) return <Fragment key={index}>{part}</Fragment>;
    if (!isErrorCode(part)) return <code key={index}>{part}</code>;
    return (
      <Link key={index} href={`/docs/hub/errors#${part}`} className="text-accent underline">
        <code>{part}</code>
      </Link>
    );
  });

/** Shows an example of each JSON response; the most usual one first, since a replay has a lower status. */
export function ExampleResponses({ operation }: Props) {
  const examples = Object.entries(operation.responses)
    .filter(([status]) => status.startsWith("2"))
    .map(([status, response]) => ({ status, example: exampleOfResponse(response) }))
    .filter(({ example }) => example !== undefined)
    .reverse();
  return examples.map(({ status, example }, index) => (
    <details key={status} open={index === 0} className="min-w-0 rounded-xl border border-line bg-raised">
      <summary className="flex min-h-11 cursor-pointer items-center gap-2 px-5 text-sm font-semibold">
        Example response <span className="status">{status}</span>
      </summary>
      <ExampleJson label={`Example response ${status} of ${operation.summary}`} value={example} />
    </details>
  ));
}

function ExampleJson({ label, value }: { label: string; value: unknown }) {
  const text = JSON.stringify(value, null, 2);
  return (
    <div className="relative border-t border-line">
      <pre
        tabIndex={0}
        aria-label={label}
        className="max-h-96 overflow-auto rounded-b-xl bg-sunken p-5 pb-16 text-xs leading-5"
      >
        <code>{text}</code>
      </pre>
      <CopyButton text={text} label="Copy response" className="absolute right-4 bottom-4" />
    </div>
  );
}
