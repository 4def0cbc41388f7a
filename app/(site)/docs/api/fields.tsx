import type { Parameter, Schema } from "../document";
import { Prose } from "../prose";
import { describeLimits, describeType } from "./describe-type";

interface Field {
  name: string;
  /** The location of a parameter; absent for members of a body. */
  location?: string;
  required: boolean;
  schema: Schema;
  description?: string;
}

/** Lists an object's members or an operation's parameters. */
export const Fields = ({ fields }: { fields: Field[] }) => (
  <dl className="divide-y divide-line border-y border-line text-sm">
    {fields.map((field) => (
      <div key={`${field.location} ${field.name}`} className="py-2.5 leading-6">
        <dt className="flex flex-wrap items-baseline gap-x-2">
          <code className="font-semibold break-all">{field.name}</code>
          <TypeName schema={field.schema} />
          <span className="text-xs text-soft">
            {[field.location, field.required ? "required" : "", describeLimits(field.schema)]
              .filter(Boolean)
              .join(", ")}
          </span>
        </dt>
        <dd className="text-soft">
          <Prose>{field.description ?? field.schema.description}</Prose>
        </dd>
      </div>
    ))}
  </dl>
);

/** Names a type, with a link to its schema. */
export function TypeName({ schema }: { schema: Schema }) {
  const { text, reference } = describeType(schema);
  const name = <code className="break-words text-soft">{text}</code>;
  return reference ? (
    <a href={`/docs/api/schemas#schema-${reference}`} className="inline-block min-h-6 underline">
      {name}
    </a>
  ) : (
    name
  );
}

export const membersOf = ({ properties = {}, required = [] }: Schema): Field[] =>
  Object.entries(properties).map(([name, schema]) => ({ name, schema, required: required.includes(name) }));

export const parameterFields = (parameters: Parameter[]): Field[] =>
  parameters.map((one) => ({ ...one, location: one.in, required: one.required === true }));
