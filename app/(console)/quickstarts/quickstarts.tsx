"use client";

import { ExternalLink } from "lucide-react";
import { useState } from "react";
import { Prose } from "../../(site)/docs/prose";
import { Highlighted } from "../../code-samples/highlight";
import { Button } from "../../ui/button";
import { Card } from "../../ui/card";
import { CopyButton } from "../../ui/copy-button";
import { Link } from "../../ui/link";
import { PasswordField } from "../../ui/password-field";
import { Segments } from "../../ui/segments";
import { isKey, PLACEHOLDER_KEY, type Setting, type Snippet, type Step } from "./guide";
import { guides } from "./guides";

const options = guides.map(({ id, name }) => ({ value: id, label: name }));

/** Shows the quick start of the chosen program, with the hub's URL and, if it is entered, the reader's key. */
export function Quickstarts({ base, first }: { base: string; first: string }) {
  const [chosen, choose] = useState(first);
  // Kept in memory only, never stored.
  const [key, setKey] = useState("");
  const guide = guides.find(({ id }) => id === chosen)!;
  const entered = key.trim();
  const steps = guide.write({ base, key: isKey(entered) ? entered : PLACEHOLDER_KEY });
  return (
    <div className="grid max-w-3xl grid-cols-[minmax(0,1fr)] gap-6">
      <Card
        title="API key"
        action={
          <Button needs="develop" asChild>
            <Link href="/keys?new">Create key</Link>
          </Button>
        }
      >
        <PasswordField
          label="Key for the snippets (optional)"
          value={key}
          onChange={({ target }) => setKey(target.value)}
          autoComplete="off"
          placeholder={PLACEHOLDER_KEY}
          error={entered !== "" && !isKey(entered) && "Enter an API key, which begins with service_sk_."}
          hint="The key is filled in below. It stays in this page and is never part of a link."
        />
      </Card>
      <Segments
        label="Program"
        options={options}
        value={chosen}
        onChange={(id) => {
          choose(id);
          window.history.replaceState(null, "", `?program=${id}`);
        }}
      />
      <Card title={guide.name}>
        <p className="text-sm leading-6 text-soft">{guide.summary}</p>
        <ol className="mt-4 grid grid-cols-[minmax(0,1fr)] gap-5">
          {steps.map((step) => (
            <GuideStep key={step.text} step={step} />
          ))}
        </ol>
      </Card>
    </div>
  );
}

/** Renders one step of a quick start: what to do, and what to copy or open for it. */
const GuideStep = ({ step: { text, snippet, settings, link } }: { step: Step }) => (
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
      <code>
        <Highlighted code={code} />
      </code>
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
