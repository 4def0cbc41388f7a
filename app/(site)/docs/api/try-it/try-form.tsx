"use client";

import { Button } from "../../../../ui/button";
import { FormError, TextField } from "../../../../ui/field";
import { BodyField } from "./body-field";
import { ConfirmCost } from "./confirm-cost";
import { CredentialField } from "./credential-field";
import type { TriableOperation } from "./triable-operation";
import { TryResult } from "./try-result";
import { useTry } from "./use-try";

interface Props {
  operation: TriableOperation;
  isSignedIn: boolean;
}

/** Edits the example request of an operation, sends it when asked to, and shows the response. */
export function TryForm({ operation, isSignedIn }: Props) {
  const { method, path, parameters, body, credential, acceptsSession, isCharged } = operation;
  const { values, setValue, text, setText, setFile, phase, error, response, submit, send, cancel } = useTry(operation);
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
