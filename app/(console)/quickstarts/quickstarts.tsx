"use client";

import { useState } from "react";
import { Button } from "../../ui/button";
import { Card } from "../../ui/card";
import { Link } from "../../ui/link";
import { PasswordField } from "../../ui/password-field";
import { Segments } from "../../ui/segments";
import { isKey, PLACEHOLDER_KEY } from "./guide";
import { GuideStep } from "./guide-step";
import { guides } from "./guides";

const options = guides.map(({ id, name }) => ({ value: id, label: name }));

/** Shows the quick start of the chosen program, with the reader's address and, if it is entered, the key. */
export function Quickstarts({ base, first }: { base: string; first: string }) {
  const [chosen, choose] = useState(first);
  // Kept in memory alone: it is gone with the page.
  const [key, setKey] = useState("");
  const guide = guides.find(({ id }) => id === chosen)!;
  const entered = key.trim();
  const steps = guide.write({ base, key: isKey(entered) ? entered : PLACEHOLDER_KEY });
  return (
    <div className="grid max-w-3xl grid-cols-[minmax(0,1fr)] gap-6">
      <Card
        title="API key"
        action={
          <Button asChild>
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
