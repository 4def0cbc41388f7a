import type { ReactNode } from "react";
import { Codes } from "../../../code-samples/codes";
import { requestSnippets } from "../../../code-samples/request-snippets";
import { anchorOf, bodyOf, type Operation, resolveSchema } from "../document";
import { Prose } from "../prose";
import { sampleRequest } from "../sample-request";
import { Fields, membersOf, parameterFields, TypeName } from "./fields";
import { ErrorList, ExampleResponses, Responses } from "./responses";

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
  signedLink: "a signed link",
};

function access({ security = [] }: Operation): string {
  const names = security.flatMap((one) => Object.keys(one)).map((name) => accessTexts[name]);
  return names.length > 0 ? `Requires ${names.join(" or ")}.` : "No authentication.";
}
