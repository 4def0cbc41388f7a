import { ExternalLink } from "lucide-react";
import { Prose } from "../../(site)/docs/prose";
import { Button } from "../../ui/button";
import { CopyButton } from "../../ui/copy-button";
import type { Setting, Snippet, Step } from "./guide";

/** Renders one step of a quick start: what to do, and what to copy or open for it. */
export const GuideStep = ({ step: { text, snippet, settings, link } }: { step: Step }) => (
  <li className="grid grid-cols-[minmax(0,1fr)] gap-2 text-sm leading-6">
    <p>
      <Prose>{text}</Prose>
    </p>
    {snippet && <Code {...snippet} />}
    {settings && <Settings settings={settings} />}
    {link && (
      <Button asChild className="justify-self-start">
        <a href={link.href}>
          {link.label}
          <ExternalLink size={16} aria-hidden />
        </a>
      </Button>
    )}
  </li>
);

const Code = ({ title, code }: Snippet) => (
  <div className="overflow-hidden rounded-lg border border-line">
    <div className="flex items-center justify-between gap-2 border-b border-line py-1 pr-1 pl-3">
      <span className="min-w-0 truncate font-mono text-xs text-soft">{title}</span>
      <CopyButton text={code} label="Copy" subject={title} kind="ghost" />
    </div>
    <pre tabIndex={0} aria-label={title} className="max-h-112 overflow-auto bg-sunken p-3 font-mono text-xs leading-5">
      <code>{code}</code>
    </pre>
  </div>
);

const Settings = ({ settings }: { settings: Setting[] }) => (
  <dl className="overflow-hidden rounded-lg border border-line">
    {settings.map(({ name, value }) => (
      <div
        key={name}
        className="flex flex-wrap items-center justify-between gap-x-3 border-b border-line py-1 pr-1 pl-3 last:border-b-0"
      >
        <dt className="text-xs text-soft sm:w-44">{name}</dt>
        <dd className="flex min-w-0 flex-1 items-center justify-between gap-2">
          <code className="min-w-0 font-mono text-xs break-all">{value}</code>
          <CopyButton text={value} label="Copy" subject={name} iconOnly />
        </dd>
      </div>
    ))}
  </dl>
);
