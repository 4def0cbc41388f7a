import { FileThumbnail } from "../../../ui/file-thumbnail";
import { Card } from "../../../ui/card";
import { CopyButton } from "../../../ui/copy-button";
import { ownFilePath } from "../../../ui/own-path";
import { TimeAgo } from "../../../ui/values";
import type { GenerationDetail } from "../types";

/** Shows the input of a generation, parameter by parameter. */
export function Input({ generation: { input, erased_at } }: { generation: GenerationDetail }) {
  return (
    <Card title="Input" action={<CopyButton text={JSON.stringify(input, null, 2)} label="Copy JSON" />}>
      <dl className="grid gap-4 text-sm">
        {Object.entries(input).map(([name, value]) => (
          <div key={name} className="grid min-w-0 gap-1">
            <dt className="font-mono text-xs text-soft">{name}</dt>
            <dd className="min-w-0">
              <Value value={value} name={name} />
            </dd>
          </div>
        ))}
      </dl>
      {Object.keys(input).length === 0 && (
        <p className="text-sm text-soft">
          {erased_at === null ? (
            "No parameters."
          ) : (
            <>
              Erased <TimeAgo at={erased_at} />.
            </>
          )}
        </p>
      )}
    </Card>
  );
}

export function Value({ value, name }: { value: unknown; name: string }) {
  const files = [value].flat().filter((one): one is string => typeof one === "string" && isFile(one));
  if (files.length > 0 && files.length === [value].flat().length) {
    return (
      <ul className="flex flex-wrap gap-2">
        {files.map((file, index) => (
          <FileLink key={index} url={file} label={`${name} ${index + 1}`} />
        ))}
      </ul>
    );
  }
  const isPlain = ["string", "number", "boolean"].includes(typeof value);
  return (
    <pre
      tabIndex={0}
      aria-label={name}
      className={`max-h-72 overflow-auto leading-6 break-words whitespace-pre-wrap ${isPlain ? "font-sans" : "rounded-lg bg-sunken p-3 font-mono text-xs"}`}
    >
      {typeof value === "string" ? value : JSON.stringify(value, null, 2)}
    </pre>
  );
}

const isFile = (text: string) => URL.canParse(text) && /^https?:/.test(text);

function FileLink({ url, label }: { url: string; label: string }) {
  // Only the hub's own files are previewed: an external image would reveal the viewer to its host.
  const own = ownFilePath(url);
  return (
    <li className="min-w-0">
      <a
        href={own ?? url}
        target="_blank"
        rel="noreferrer"
        aria-label={label}
        title={url}
        className="flex min-w-0 items-center gap-2 text-accent underline"
      >
        {own ? <FileThumbnail path={own} mediaType="image/*" size={0} /> : <span className="truncate">{url}</span>}
      </a>
    </li>
  );
}
