"use client";

import { useQuery } from "@tanstack/react-query";
import { createContext, type ReactNode } from "react";
import { useTRPC } from "../trpc/client";
import { errorsOf } from "../ui/errors-of";
import { SelectField } from "../ui/form";
import { Link } from "../ui/link";
import { type ParameterProps, labelAndHintOf } from "./parameter-props";

/** The model of an input form, which decides the characters to offer: not every model supports every character. */
export const InputModel = createContext<string | null>(null);

/** Selects one of the account's characters. */
export function CharacterField({ parameter, model, value, onChange, error }: ParameterProps & { model: string }) {
  const { data: characters, error: loadError } = useQuery(useTRPC().characters.usable.queryOptions({ model }));
  const named = value === undefined ? "" : JSON.stringify(value);
  const isOffered = value === undefined || characters?.some(({ id }) => id === value);
  return (
    <SelectField
      label={labelAndHintOf(parameter).label}
      hint={hintOf(parameter.schema.description, characters?.length, loadError)}
      error={error}
      value={named}
      onChange={({ target }) => onChange(target.value === "" ? undefined : Number(target.value))}
    >
      <option value="">{parameter.required ? "Choose one" : "None"}</option>
      {!isOffered && <option value={named}>#{named}</option>}
      {characters?.map(({ id, name }) => (
        <option key={id} value={id}>
          {name} (#{id})
        </option>
      ))}
    </SelectField>
  );
}

function hintOf(description: string | undefined, count: number | undefined, loadError: unknown): ReactNode {
  if (loadError) return errorsOf(loadError)?.message;
  // Models describe the id that the API takes; here a name is chosen.
  if (count !== 0) return description ?? "Use a trained character.";
  return (
    <>
      Use a trained character. You don’t have one for this model yet.{" "}
      <Link href="/characters/new" className="text-accent underline">
        Create a character
      </Link>
    </>
  );
}
