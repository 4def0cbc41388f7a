import { Card } from "../../../ui/card";
import { CopyButton } from "../../../ui/copy-button";
import { TimeAgo } from "../../../ui/time-ago";
import { formatValue } from "../../../parameters/parameter-props";
import type { Character } from "../types";

/** Shows the id, trigger word and training parameters of a character. */
export const CharacterInfo = ({
  character: { id, trigger_word, parameters, created_at },
}: {
  character: Character;
}) => (
  <Card title="Details">
    <dl className="grid gap-3 text-sm">
      <div className="flex items-center justify-between gap-3">
        <dt className="text-soft">ID</dt>
        <dd className="flex items-center gap-1 font-mono">
          {id}
          <CopyButton text={String(id)} label="Copy ID" iconOnly />
        </dd>
      </div>
      {trigger_word !== null && (
        <div className="flex items-center justify-between gap-3">
          <dt className="text-soft">Trigger word</dt>
          <dd className="flex min-w-0 items-center gap-1">
            <code className="truncate font-mono">{trigger_word}</code>
            <CopyButton text={trigger_word} label="Copy trigger word" iconOnly />
          </dd>
        </div>
      )}
      {Object.entries(parameters).map(([name, value]) => (
        <div key={name} className="flex justify-between gap-3">
          <dt className="font-mono text-xs leading-5 text-soft">{name}</dt>
          <dd className="min-w-0 truncate" title={formatValue(value)}>
            {formatValue(value)}
          </dd>
        </div>
      ))}
      <div className="flex justify-between gap-3">
        <dt className="text-soft">Created</dt>
        <dd>
          <TimeAgo at={created_at} />
        </dd>
      </div>
    </dl>
  </Card>
);
