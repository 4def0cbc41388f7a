import { Card } from "../../../ui/card";
import { Table, Td, Th } from "../../../ui/table";
import { titleOf } from "../../../parameters/parameter";
import { Value } from "../[id]/input";
import type { GenerationDetail } from "../types";
import { compareInputs, type Difference } from "./compare-inputs";
import { diffWords } from "./diff-words";

interface Props {
  before: GenerationDetail;
  after: GenerationDetail;
}

/** Shows how the input of a generation differs from that of an earlier one: texts word by word, other parameters in a table. */
export function InputDiff({ before, after }: Props) {
  // A view of the account without a reason hides inputs as well.
  if ([before, after].some(({ input }) => Object.keys(input).length === 0))
    return (
      <Card title="Input">
        <p className="text-sm text-soft">
          The input of one of them was erased or is hidden, so they can’t be compared.
        </p>
      </Card>
    );
  const { texts, others } = compareInputs(before.input, after.input);
  return (
    <>
      {texts.map(({ name, ...pair }) => (
        <Card key={name} title={`${nameOf(name)}, what changed`}>
          <TextDiff {...pair} />
        </Card>
      ))}
      {others.length > 0 && (
        <Card flush title="Parameters that differ">
          <ParameterTable differences={others} />
        </Card>
      )}
      {texts.length + others.length === 0 && (
        <Card title="Input">
          <p className="text-sm text-soft">Both have the same input.</p>
        </Card>
      )}
    </>
  );
}

const nameOf = (name: string): string => titleOf({ name, schema: {}, required: false });

/** Shows how a text changed. Screen readers hear where each change begins and ends, because few announce the elements. */
const TextDiff = ({ before, after }: { before: string; after: string }) => (
  <div
    tabIndex={0}
    role="group"
    aria-label="Changed text"
    className="max-h-96 overflow-y-auto text-sm leading-7 wrap-anywhere whitespace-pre-wrap"
  >
    {diffWords(before, after).map(({ kind, text }, index) =>
      kind === "same" ? (
        text
      ) : kind === "removed" ? (
        <del key={index} className="rounded-sm bg-danger-wash px-0.5 text-danger">
          <span className="sr-only">[removed: </span>
          {text}
          <span className="sr-only">]</span>
        </del>
      ) : (
        <ins key={index} className="rounded-sm bg-good-wash px-0.5 text-good">
          <span className="sr-only">[added: </span>
          {text}
          <span className="sr-only">]</span>
        </ins>
      ),
    )}
  </div>
);

const ParameterTable = ({ differences }: { differences: Difference[] }) => (
  <Table label="Parameters that differ">
    <thead>
      <tr>
        <Th>Parameter</Th>
        <Th>Earlier</Th>
        <Th>Later</Th>
      </tr>
    </thead>
    <tbody>
      {differences.map(({ name, before, after }) => (
        <tr key={name}>
          <Th scope="row" className="font-mono in-[tr:last-child]:border-0">
            {name}
          </Th>
          {[before, after].map((value, index) => (
            <Td key={index} className="max-w-80 whitespace-normal!">
              {value === undefined ? (
                <span className="text-soft">Not set</span>
              ) : (
                <Value value={value} name={`${name}, ${index === 0 ? "earlier" : "later"}`} />
              )}
            </Td>
          ))}
        </tr>
      ))}
    </tbody>
  </Table>
);
