import { CopyButton } from "./copy-button";

/** Lists the SHA-256 hashes of missing files, each with a copy button. */
export const FileHashes = ({ files }: { files: { sha256: string; kind?: string }[] }) => (
  <ul className="grid grid-cols-[minmax(0,1fr)] gap-1">
    {files.map(({ sha256, kind }) => (
      <li key={sha256} className="flex min-w-0 items-center gap-2">
        {kind && <span>{kind}</span>}
        <code className="truncate font-mono text-xs" title={sha256}>
          {sha256}
        </code>
        <CopyButton text={sha256} label="Copy hash" iconOnly />
      </li>
    ))}
  </ul>
);
