"use client";

import { Eye, EyeOff } from "lucide-react";
import { type ComponentProps, useState } from "react";
import { Button } from "./button";
import { Input } from "./controls";
import { Field } from "./form";

type Props = ComponentProps<"input"> & Pick<ComponentProps<typeof Field>, "label" | "hint" | "error">;

/** Renders a password field with a button that shows what was entered. */
export function PasswordField({ label, hint, error, ...props }: Props) {
  const [isShown, setShown] = useState(false);
  return (
    <Field label={label} hint={hint} error={error} name={props.name}>
      {(controlProps) => (
        <div className="relative">
          <Input
            {...props}
            {...controlProps}
            type={isShown ? "text" : "password"}
            autoCapitalize="none"
            spellCheck={false}
            className={`${controlProps.className} pr-11`}
          />
          <Button
            kind="ghost"
            className="absolute inset-y-0 right-0 px-3"
            aria-pressed={isShown}
            title="Show password"
            onClick={() => setShown(!isShown)}
          >
            {isShown ? <EyeOff size={16} aria-hidden /> : <Eye size={16} aria-hidden />}
            <span className="sr-only">Show password</span>
          </Button>
        </div>
      )}
    </Field>
  );
}
