"use client";

import { Send } from "lucide-react";
import { useEffect, useId, useState } from "react";
import type { SampleBody } from "../../../../code-samples/sample-request";
import { Button } from "../../../../ui/button";
import { TextArea } from "../../../../ui/controls";
import { CopyButton } from "../../../../ui/copy-button";
import { Confirm } from "../../../../ui/dialog";
import { Field, FormError, TextField } from "../../../../ui/form";
import { useFormats } from "../../../../ui/formats-context";
import { Money } from "../../../../ui/money";
import { CredentialField } from "./credential-field";
import type { TriedResponse } from "./send-request";
import type { TriableOperation } from "./triable-operation";
import { useTry } from "./use-try";

interface Props {
  operation: TriableOperation;
  isSignedIn: boolean;
}

/** Offers to send the request of an operation; the form opens on demand. */
export function TryIt({ operation, isSignedIn }: Props) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  return (
    <div className="grid gap-3">
      <Button
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
        className="justify-self-start"
      >
        <Send size={16} aria-hidden />
        Try it
        <span className="sr-only">: {operation.summary}</span>
      </Button>
      {isOpen && (
        <div id={id} className="rounded-xl border border-line bg-raised p-5">
          <TryForm operation={operation} isSignedIn={isSignedIn} />
        </div>
      )}
    </div>
  );
}

interface TryFormProps {
  operation: TriableOperation;
  isSignedIn: boolean;
}

/** Edits the example request of an operation, sends it when asked to, and shows the response. */
function TryForm({ operation, isSignedIn }: TryFormProps) {
  const { method, path, parameters, body, credential, acceptsSession, isCharged } = operation;
  const { values, setValue, text, setText, setFile, phase, error, response, submit, send, cancel } = useTry(
    operation,
    isSignedIn,
  );
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
      className="grid gap-4"
    >
      {credential && <CredentialField {...{ credential, acceptsSession, isSignedIn }} />}
      {parameters.map(({ name, location, required, hint }) => (
        <TextField
          key={`${location} ${name}`}
          label={`${name}${required ? "" : " (optional)"}`}
          hint={hint}
          value={values[name] ?? ""}
          maxLength={2_048}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => setValue(name, event.target.value)}
        />
      ))}
      {body && <BodyField {...{ body, text, setText, setFile }} />}
      {isCharged && (
        <p className="rounded-lg bg-warning-wash px-3 py-2 text-sm leading-6 text-warning">
          This request is charged to your balance. You’ll see the price before it is sent.
        </p>
      )}
      <FormError>{error}</FormError>
      <Button type="submit" kind="primary" busy={phase.name === "pricing" || phase.name === "sending"}>
        Send {method}
        <span className="sr-only"> {path}</span>
      </Button>
      {phase.name === "confirming" && <ConfirmCost cost={phase.cost} onSend={send} onCancel={cancel} />}
      <TryResult response={response} />
    </form>
  );
}

const MAX_ROWS = 16;

interface BodyFieldProps {
  body: SampleBody;
  /** The JSON body. */
  text: string;
  setText: (text: string) => void;
  setFile: (file: File | null) => void;
}

/** Edits a JSON body, or chooses the file that is sent instead. */
const BodyField = ({ body, text, setText, setFile }: BodyFieldProps) =>
  body.kind === "json" ? (
    <Field label="Body (JSON)">
      {({ className, ...props }) => (
        <TextArea
          {...props}
          rows={Math.min(text.split("\n").length + 1, MAX_ROWS)}
          value={text}
          spellCheck={false}
          onChange={(event) => setText(event.target.value)}
          className={`${className} py-2 font-mono leading-5`}
        />
      )}
    </Field>
  ) : (
    <Field label="File">
      {({ className, ...props }) => (
        <input
          {...props}
          type="file"
          onChange={(event) => setFile(event.target.files?.[0] ?? null)}
          className={`${className} py-2`}
        />
      )}
    </Field>
  );

interface ConfirmCostProps {
  /** In EUR; null if unknown. */
  cost: number | null;
  onSend: () => void;
  onCancel: () => void;
}

/** Asks for a confirmation of a charged request, with its price. */
const ConfirmCost = ({ cost, onSend, onCancel }: ConfirmCostProps) => (
  <Confirm open onOpenChange={(open) => !open && onCancel()} title="Send this request?" verb="Send" onConfirm={onSend}>
    {cost === null ? (
      "It is charged to your balance. The hub can’t estimate its price, for example because the input is not valid."
    ) : (
      <>
        It is charged to your balance, <Money euros={cost} exact /> at most.
      </>
    )}
  </Confirm>
);

/** Shows a response: status, duration, selected headers and body. */
function TryResult({ response }: { response: TriedResponse | null }) {
  return (
    <>
      <p role="status" className="text-sm font-medium">
        {response && `Response ${response.status} in ${Math.round(response.durationMs)} ms`}
      </p>
      {response && (
        <div className="grid gap-3">
          <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 text-xs">
            {response.headers.map(([name, value]) => (
              <div key={name} className="contents">
                <dt className="text-soft">{name}</dt>
                <dd className="font-mono break-all">{value}</dd>
              </div>
            ))}
          </dl>
          {response.content?.kind === "text" && <JsonBody text={response.content.text} />}
          {response.content?.kind === "file" && <FileBody file={response.content.file} />}
        </div>
      )}
    </>
  );
}

const JsonBody = ({ text }: { text: string }) => (
  <div className="relative">
    <pre
      tabIndex={0}
      aria-label="Response body"
      className="max-h-96 overflow-auto rounded-lg bg-sunken p-4 pb-14 font-mono text-xs leading-5"
    >
      {text}
    </pre>
    <CopyButton text={text} label="Copy response" className="absolute right-3 bottom-3" />
  </div>
);

function FileBody({ file }: { file: Blob }) {
  const { bytes } = useFormats();
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    const created = URL.createObjectURL(file);
    setUrl(created);
    return () => URL.revokeObjectURL(created);
  }, [file]);
  if (!url) return null;
  const description = `${file.type || "File"}, ${bytes(file.size)}`;
  return (
    <div className="grid justify-items-start gap-2 text-sm">
      {file.type.startsWith("image/") && <img src={url} alt="Response" className="max-h-64 max-w-full rounded-lg" />}
      <a href={url} download className="inline-flex min-h-9 items-center underline pointer-coarse:min-h-11">
        Download ({description})
      </a>
    </div>
  );
}
