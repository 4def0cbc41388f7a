"use client";

import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useTRPC } from "../trpc/client";
import { Button } from "../ui/button";
import { errorsOf } from "../ui/errors-of";
import { Form, FormError, readText, TextField, useSubmit } from "../ui/form";
import { PasswordField } from "../ui/password-field";
import { describePasskeyError, getBrowserPasskey } from "./browser-passkey";

/** The ways in which a person can confirm their identity. */
export type ProofWay = "passkey" | "totp" | "recovery" | "password";

const labels: Record<ProofWay, string> = {
  passkey: "Use a passkey",
  totp: "Use your authenticator app",
  recovery: "Use a recovery code",
  password: "Use your password",
};

/** Asks the person to confirm their identity in one of several ways. `onDone` runs once the hub has accepted one. */
export function GiveFactor({ ways, onDone }: { ways: ProofWay[]; onDone: () => void }) {
  const [way, setWay] = useState(ways[0]!);
  const others = ways.filter((other) => other !== way);
  return (
    <div className="grid gap-4">
      {way === "passkey" && <PasskeyProof onDone={onDone} />}
      {way === "totp" && <TotpProof onDone={onDone} />}
      {way === "recovery" && <RecoveryProof onDone={onDone} />}
      {way === "password" && <PasswordProof onDone={onDone} />}
      {others.length > 0 && (
        <div className="grid gap-2 border-t border-line pt-4">
          {others.map((other) => (
            <Button key={other} onClick={() => setWay(other)}>
              {labels[other]}
            </Button>
          ))}
        </div>
      )}
    </div>
  );
}

function PasskeyProof({ onDone }: { onDone: () => void }) {
  const trpc = useTRPC();
  const start = useMutation(trpc.factors.startVerification.mutationOptions());
  const finish = useMutation(trpc.factors.usePasskey.mutationOptions());
  const proof = useMutation({
    mutationFn: async () => finish.mutateAsync({ response: await getBrowserPasskey(await start.mutateAsync()) }),
    onSuccess: onDone,
  });
  return (
    <>
      <p className="text-sm leading-6 text-soft">Your browser asks for your fingerprint, face, PIN or security key.</p>
      <FormError>{describePasskeyError(proof.error) ?? errorsOf(proof.error)?.message}</FormError>
      <Button kind="primary" busy={proof.isPending} onClick={() => proof.mutate()}>
        Continue with a passkey
      </Button>
    </>
  );
}

/** Renders a form with one field, whose value `send` proves. */
function ProofForm({
  error,
  send,
  onDone,
  children,
}: {
  error: unknown;
  send: (value: string) => Promise<void>;
  onDone: () => void;
  children: ReactNode;
}) {
  const { busy, onSubmit } = useSubmit(async (fields) => {
    const isAccepted = await send(readText(fields, "proof")).then(() => true, () => false); // prettier-ignore
    if (isAccepted) onDone();
  });
  return (
    <Form onSubmit={onSubmit} error={error}>
      {children}
      <FormError>{errorsOf(error)?.messageUnlessAt("code", "password")}</FormError>
      <Button kind="primary" type="submit" busy={busy}>
        Continue
      </Button>
    </Form>
  );
}

function TotpProof({ onDone }: { onDone: () => void }) {
  const use = useMutation(useTRPC().factors.useTotp.mutationOptions());
  return (
    <ProofForm error={use.error} send={(code) => use.mutateAsync({ code })} onDone={onDone}>
      <TotpField name="proof" error={errorsOf(use.error)?.field("code", "The code")} />
    </ProofForm>
  );
}

/** Renders the field for a code of an authenticator app. */
export const TotpField = ({ error, ...props }: { name: string; error?: string; autoFocus?: boolean }) => (
  <TextField
    {...props}
    label="Code from your authenticator app"
    inputMode="numeric"
    autoComplete="one-time-code"
    required
    maxLength={20}
    data-missing="Enter the code that the app shows."
    hint="Six digits, new every 30 seconds."
    error={error}
  />
);

function RecoveryProof({ onDone }: { onDone: () => void }) {
  const use = useMutation(useTRPC().factors.useRecoveryCode.mutationOptions());
  return (
    <ProofForm error={use.error} send={(code) => use.mutateAsync({ code })} onDone={onDone}>
      <TextField
        name="proof"
        label="Recovery code"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        required
        maxLength={50}
        data-missing="Enter one of your recovery codes."
        hint="Each code works once."
        error={errorsOf(use.error)?.field("code", "The code")}
      />
    </ProofForm>
  );
}

function PasswordProof({ onDone }: { onDone: () => void }) {
  const confirm = useMutation(useTRPC().factors.confirmPassword.mutationOptions());
  return (
    <ProofForm error={confirm.error} send={(password) => confirm.mutateAsync({ password })} onDone={onDone}>
      <PasswordField
        name="proof"
        label="Password"
        autoComplete="current-password"
        required
        data-missing="Enter your password."
        error={errorsOf(confirm.error)?.field("password")}
      />
    </ProofForm>
  );
}
