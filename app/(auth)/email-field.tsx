import type { ReactNode } from "react";
import { TextField } from "../ui/form";

/** Renders an e-mail field, which has the initial focus. */
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
