import {
  choicesOf,
  formatLimits,
  itemsOf,
  type Parameter,
  parametersOf,
  type Schema,
  takesFiles,
} from "../../../parameters/parameter";
import { formatValue } from "../../../parameters/parameter-props";
import { Card } from "../../../ui/card";
import { Link } from "../../../ui/link";
import { Notice } from "../../../ui/notice";

/** Shows the parameters of a model's `input`. */
export function Parameters({ schema }: { schema: Schema }) {
  const parameters = parametersOf(schema);
  if (parameters.length === 0) {
    return (
      <Card title="Parameters">
        <Notice heading="h3" title="No parameters">
          Send an empty input.
        </Notice>
      </Card>
    );
  }
  return (
    <Card flush title="Parameters">
      <dl className="divide-y divide-line">
        {parameters.map((parameter) => (
          <Entry key={parameter.name} parameter={parameter} />
        ))}
      </dl>
    </Card>
  );
}

function Entry({ parameter }: { parameter: Parameter }) {
  const { name, schema, required } = parameter;
  const choices = choicesOf(schema) ?? choicesOf(itemsOf(schema));
  return (
    <div className="grid gap-1.5 px-5 py-4">
      <dt className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <code className="font-mono text-sm font-semibold">{name}</code>
        <span className="text-xs text-soft">{formatLimits(schema)}</span>
        {required && <span className="text-xs font-medium text-accent">required</span>}
        {schema.default !== undefined && (
          <span className="text-xs text-soft">
            default <code className="font-mono">{formatValue(schema.default)}</code>
          </span>
        )}
      </dt>
      {schema.description && <dd className="text-sm leading-6 text-soft">{schema.description}</dd>}
      {takesFiles(parameter) && (
        <dd className="text-sm leading-6 text-soft">
          Pass a file as a public URL, as the URL of one of{" "}
          <Link href="/files" className="text-accent underline">
            your files
          </Link>
          , or as <code className="font-mono text-xs">sha256:</code> followed by its hash.
        </dd>
      )}
      {choices && (
        <dd className="flex flex-wrap gap-1.5">
          {choices.map((choice) => (
            <code key={formatValue(choice)} className="rounded-md bg-sunken px-2 py-0.5 font-mono text-xs">
              {formatValue(choice)}
            </code>
          ))}
        </dd>
      )}
    </div>
  );
}
