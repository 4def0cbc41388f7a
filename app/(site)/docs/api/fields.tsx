import { nameOfReference, type Parameter, type Schema } from "../document";
import { Prose } from "../prose";

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

/** Returns a schema's type as text, and the name of the schema that it references. */
function describeType(schema: Schema): { text: string; reference: string | null } {
  if (schema.$ref) return { text: nameOfReference(schema.$ref), reference: nameOfReference(schema.$ref) };
  const values = schema.const === undefined ? schema.enum : [schema.const];
  if (values) return { text: values.map((value) => JSON.stringify(value)).join(" | "), reference: null };
  if (schema.anyOf) {
    const options = schema.anyOf.map(describeType);
    const reference = options.find((option) => option.reference !== null)?.reference ?? null;
    return { text: options.map(({ text }) => text).join(" | "), reference };
  }
  const types = [schema.type ?? "any"].flat();
  if (!types.includes("array")) return { text: types.join(" | "), reference: null };
  const item = describeType(schema.items ?? {});
  const text = types.map((type) => (type === "array" ? `array of ${item.text}` : type)).join(" | ");
  return { text, reference: item.reference };
}

/** The limits of integers whose schema sets none. */
const SAFE = Number.MAX_SAFE_INTEGER;

/** Returns the limits and the default of a value as text, such as "1 to 100, default 20"; empty without any. */
function describeLimits({ minimum, maximum, maxLength, default: value }: Schema): string {
  const [from, to] = [minimum, maximum].map((limit) => (limit === undefined || Math.abs(limit) >= SAFE ? null : limit));
  const range =
    from === null ? (to === null ? null : `up to ${to}`) : to === null ? `from ${from}` : `${from} to ${to}`;
  const length = maxLength === undefined ? null : `up to ${maxLength} characters`;
  const standard = value === undefined || value === "" ? null : `default ${JSON.stringify(value)}`;
  return [range, length, standard].filter(Boolean).join(", ");
}
