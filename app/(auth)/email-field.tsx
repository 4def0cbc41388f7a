import type { ReactNode } from "react";
import { TextField } from "../ui/form";

/** Renders the first field of a form that begins with an e-mail address. */
export const EmailField = ({ error }: { error?: ReactNode }) => (
  <TextField
    name="email"
    label="E-mail"
    type="email"
    autoComplete="username"
    required
    data-missing="Enter your e-mail address."
    autoFocus
    error={error}
  />
);
