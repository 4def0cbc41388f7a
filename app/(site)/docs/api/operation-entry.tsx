import { type ErrorCode, errorTable } from "@/server/error-table";
import { Fragment, type ReactNode } from "react";
import { Codes } from "../../../code-samples/codes";
import { requestSnippets } from "../../../code-samples/request-snippets";
import { CopyButton } from "../../../ui/copy-button";
import { Link } from "../../../ui/link";
import { anchorOf, bodyOf, type Operation, resolveSchema, type Response } from "../document";
import { exampleOfResponse } from "../example-of";
import { Prose } from "../prose";
import { sampleRequest } from "../sample-request";
import { Fields, membersOf, parameterFields, TypeName } from "./fields";

interface Props {
  operation: Operation;
  /** The base URL of the hub, for programs. */
  base: string;
  /** The form that sends the request. */
  tryIt: ReactNode;
}

/** Documents one operation: its request, its responses, programs that send it, and a form to try it. */
export function OperationEntry({ operation, base, tryIt }: Props) {
  const { method, path, summary, description, parameters } = operation;
  const anchor = anchorOf(operation);
  return (
    <section id={anchor} className="entry grid gap-x-10 gap-y-6 xl:grid-cols-2">
      <div className="grid min-w-0 content-start gap-4">
        <h2 className="text-lg font-semibold">
          <a href={`#${anchor}`}>{summary}</a>
        </h2>
        <p className="flex flex-wrap items-center gap-2">
          <span className="method">{method}</span>
          <code className="break-all">{path}</code>
        </p>
        {description && (
          <p className="leading-7">
            <Prose>{description}</Prose>
          </p>
        )}
        <p className="text-sm text-soft">{access(operation)}</p>
        {parameters && (
          <Part title="Parameters">
            <Fields fields={parameterFields(parameters)} />
          </Part>
        )}
        <RequestBody operation={operation} />
        <Part title="Responses">
          <Responses operation={operation} />
        </Part>
        <Part title="Errors">
          <ErrorList operation={operation} />
        </Part>
      </div>
      <div className="grid min-w-0 content-start gap-4 xl:sticky xl:top-20 xl:self-start">
        <Codes title={`${method} ${path}`} heading="h3" codes={requestSnippets(base, sampleRequest(operation))} />
        <ExampleResponses operation={operation} />
        {tryIt}
      </div>
    </section>
  );
}

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <div className="grid gap-2">
    <h3 className="text-sm font-semibold">{title}</h3>
    {children}
  </div>
);

function RequestBody({ operation }: { operation: Operation }) {
  const body = bodyOf(operation);
  if (!body) return null;
  const members = membersOf(resolveSchema(body.schema));
  return (
    <Part title="Body">
      <p className="text-sm text-soft">
        <code>{body.mediaType}</code> <TypeName schema={body.schema} />
      </p>
      {members.length > 0 && <Fields fields={members} />}
    </Part>
  );
}

const accessTexts: Record<string, string> = {
  apiKey: "an API key",
  session: "a console session",
  workerToken: "a worker token",
  operatorToken: "an operator token",
  signedLink: "a signed link",
};

function access({ security = [] }: Operation): string {
  const names = security.flatMap((one) => Object.keys(one)).map((name) => accessTexts[name]);
  return names.length > 0 ? `Requires ${names.join(" or ")}.` : "No authentication.";
}

interface ResponseProps {
  operation: Operation;
}

const isError = ([status]: [string, Response]) => status.startsWith("4") || status.startsWith("5");

/** Lists the responses of an operation that are not errors. */
const Responses = ({ operation: { responses } }: ResponseProps) => (
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
const ErrorList = ({ operation: { responses } }: ResponseProps) => (
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
function ExampleResponses({ operation }: ResponseProps) {
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
