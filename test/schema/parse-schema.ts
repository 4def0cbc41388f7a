/** Postgres' names of column types by Prisma's type and native type. */
const types: Record<string, string> = {
  Int: "integer",
  "Int SmallInt": "smallint",
  BigInt: "bigint",
  Boolean: "boolean",
  Bytes: "bytea",
  "DateTime Date": "date",
  "DateTime Timestamptz(3)": "timestamp(3) with time zone",
  "DateTime Timestamptz(6)": "timestamp with time zone",
  "Float Real": "real",
  Json: "jsonb",
  "Json Json": "json",
  String: "text",
  "String Uuid": "uuid",
  'Unsupported("tsvector")': "tsvector",
};

const ATTRIBUTE = /@{1,2}[\w.]+(?:\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))?/g;
const DATABASE_EXPRESSION = /^dbgenerated\("(.*)"\)$/;

interface Attribute {
  name: string;
  value: string;
}

interface Field {
  name: string;
  type: string;
  suffix: string;
  attributes: Attribute[];
}

/** Describes a Prisma schema by a line for each column, key and reference, in alphabetical order. */
export function parseSchema(text: string): string[] {
  const plain = text.replace(/\/\/.*$/gm, "");
  const models = [...plain.matchAll(/^model (\w+) \{([^]*?)^\}/gm)].map(([, name, body]) => readModel(name!, body!));
  const byName = new Map(models.map((model) => [model.name, model]));
  return models.flatMap((model) => describeModel(model, byName)).sort();
}

type Model = ReturnType<typeof readModel>;

function readModel(name: string, body: string) {
  const lines = body.split("\n").map((line) => line.trim());
  const own = lines.filter((line) => line.startsWith("@@")).flatMap(readAttributes);
  const fields = lines.flatMap((line) => {
    const [, field, type, suffix = "", rest] = /^(\w+)\s+(\w+(?:\("\w+"\))?)(\[\]|\?)?(.*)$/.exec(line) ?? [];
    return field ? [{ name: field, type: type!, suffix, attributes: readAttributes(rest!) }] : [];
  });
  return { name, fields, own, table: unquote(valueOf(own, "@@map")!) };
}

function readAttributes(text: string): Attribute[] {
  return (text.match(ATTRIBUTE) ?? []).map((attribute) => {
    const [, name, value = ""] = /^([@\w.]+)(?:\(([^]*)\))?$/.exec(attribute)!;
    return { name: name!, value };
  });
}

function describeModel({ table, fields, own }: Model, models: Map<string, Model>): string[] {
  const columnOf = (owner: Field[], name: string) => nameOf(owner.find((field) => field.name === name)!);
  const columns = (value: string, owner = fields) => readList(value).map((name) => columnOf(owner, name)).join(", "); // prettier-ignore
  const lines = own.flatMap(({ name, value }) => {
    if (name === "@@id") return [`${table} primary key (${columns(value)})`];
    if (name === "@@unique") return [`${table} unique (${columns(value)})`];
    return name === "@@index" ? [`${table} index (${columns(value)})`] : [];
  });
  for (const field of fields) {
    const relation = valueOf(field.attributes, "@relation");
    const target = models.get(field.type);
    // The other side of a relation has at most its name.
    if (relation?.includes("fields:")) {
      const [, own] = /fields: (\[[^\]]*\])/.exec(relation)!;
      const [, foreign] = /references: (\[[^\]]*\])/.exec(relation)!;
      const rule = /onDelete: Cascade/.test(relation) ? " on delete cascade" : "";
      lines.push(
        `${table} (${columns(own!)}) references ${target!.table} (${columns(foreign!, target!.fields)})${rule}`,
      );
    }
    if (target === undefined) lines.push(...describeColumn(table, field));
  }
  return lines;
}

function describeColumn(table: string, field: Field): string[] {
  const native = field.attributes.find(({ name }) => name.startsWith("@db."));
  const detail = native && `${native.name.slice("@db.".length)}${native.value && `(${native.value})`}`;
  const type = types[[field.type, detail].filter(Boolean).join(" ")];
  if (!type) throw new Error(`${table}.${field.name} has a type that this test does not know`);
  const list = field.suffix === "[]" ? "[]" : "";
  const nullability = field.suffix === "?" ? "" : " not null";
  const value = valueOf(field.attributes, "@default");
  const defaultClause = value === undefined ? "" : ` default ${unquote(value.replace(DATABASE_EXPRESSION, "$1"))}`;
  const column = nameOf(field);
  return [
    `${table}.${column} ${type}${list}${nullability}${defaultClause}`,
    ...(valueOf(field.attributes, "@id") === undefined ? [] : [`${table} primary key (${column})`]),
    ...(valueOf(field.attributes, "@unique") === undefined ? [] : [`${table} unique (${column})`]),
  ];
}

const valueOf = (attributes: Attribute[], wanted: string) => attributes.find(({ name }) => name === wanted)?.value;
const nameOf = ({ name, attributes }: Field) => unquote(valueOf(attributes, "@map") ?? name);
const unquote = (text: string) => text.replace(/^"(.*)"$/, "$1");
const readList = (text: string) => /\[([^\]]*)\]/.exec(text)![1]!.split(",").map((name) => name.trim()); // prettier-ignore
