"use client";

import type { TotpSetup } from "@/server/domain/factors";
import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useTRPC } from "../trpc/client";
import { Button } from "../ui/button";
import { CopyButton } from "../ui/copy-button";
import { errorsOf } from "../ui/errors-of";
import { Form, FormError, readText } from "../ui/form";
import { TotpField } from "./give-factor";

/** Sets up an authenticator app. `onAdded` receives the recovery codes of somebody who had none. */
export function SetUpTotp({ onAdded }: { onAdded: (codes: string[] | null) => void }) {
  const trpc = useTRPC();
  const start = useMutation(trpc.factors.startTotp.mutationOptions());
  const confirm = useMutation(
    trpc.factors.confirmTotp.mutationOptions({ onSuccess: ({ recovery_codes }) => onAdded(recovery_codes) }),
  );
  const hasStarted = useRef(false);
  const { mutate } = start;
  useEffect(() => {
    // React runs effects twice in development, and the second secret would invalidate the first.
    if (!hasStarted.current) mutate();
    hasStarted.current = true;
  }, [mutate]);
  const errors = errorsOf(confirm.error);
  if (start.error) return <FormError>{errorsOf(start.error)!.message}</FormError>;
  if (!start.data) return <p className="text-sm text-soft">Loading…</p>;
  return (
    <Form error={confirm.error} onSubmit={(fields) => confirm.mutate({ code: readText(fields, "code") })}>
      <p className="text-sm leading-6 text-soft">Scan this with your authenticator app, or enter the key in the app.</p>
      <QrCode {...start.data.qr} />
      <div className="flex items-center gap-2">
        <code className="min-w-0 font-mono text-sm" aria-label="Key">
          {start.data.secret.replace(/(.{4})(?=.)/g, "$1 ")}
        </code>
        <CopyButton text={start.data.secret} label="Copy key" iconOnly />
      </div>
      {/* It arrives after the dialog, whose focus is on "Close" until then. */}
      <TotpField name="code" autoFocus error={errors?.field("code", "The code")} />
      <FormError>{errors?.messageUnlessAt("code")}</FormError>
      <Button kind="primary" type="submit" busy={confirm.isPending}>
        Turn on
      </Button>
    </Form>
  );
}

/** Renders a QR code in black on white in both themes, which is what cameras read. */
const QrCode = ({ size, path }: TotpSetup["qr"]) => (
  <svg
    viewBox={`0 0 ${size} ${size}`}
    role="img"
    aria-label="QR code for your authenticator app"
    shapeRendering="crispEdges"
    className="size-48 rounded-lg bg-[#ffffff] forced-color-adjust-none"
  >
    <path d={path} fill="#000000" />
  </svg>
);
