import { Play } from "lucide-react";
import { exampleInputs, type ExampleInput } from "../../../parameters/example-inputs";
import { formatValue } from "../../../parameters/parameter-props";
import { Button } from "../../../ui/button";
import { Card } from "../../../ui/card";
import { Link } from "../../../ui/link";
import type { Model } from "../types";

/** Shows inputs to try a model with, each with a link that fills the playground. */
export function Examples({ model: { id, parameters_schema } }: { model: Model }) {
  const examples = exampleInputs(parameters_schema);
  if (examples.length === 0) return null;
  return (
    <Card flush title={examples.length === 1 ? "Example" : "Examples"}>
      <ul className="divide-y divide-line">
        {examples.map((example, index) => (
          <li key={index} className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 px-5 py-4">
            <ExampleValues example={example} />
            <Button needs="develop" asChild>
              <Link href={`/playground?model=${encodeURIComponent(id)}&example=${index + 1}`}>
                <Play size={16} aria-hidden />
                Try {examples.length === 1 ? "the example" : `example ${index + 1}`}
              </Link>
            </Button>
          </li>
        ))}
      </ul>
    </Card>
  );
}

const ExampleValues = ({ example: { input, missing } }: { example: ExampleInput }) => (
  <div className="grid min-w-0 flex-1 basis-64 gap-2">
    <dl className="flex flex-wrap gap-x-4 gap-y-1 text-sm leading-6">
      {Object.entries(input).map(([name, value]) => (
        <div key={name} className="flex min-w-0 items-baseline gap-2">
          <dt className="font-mono text-xs text-soft">{name}</dt>
          <dd className="line-clamp-3 min-w-0 break-words">{formatValue(value)}</dd>
        </div>
      ))}
    </dl>
    {missing.length > 0 && <p className="text-xs text-soft">Add your own {missing.join(" and ")} before you run it.</p>}
  </div>
);
