import type { User } from "next-auth";
import Credentials from "next-auth/providers/credentials";
import type { Hub } from "@/server/context";
import { toServiceUnavailable } from "@/server/domain/health/to-service-unavailable";
import { signIn } from "@/server/domain/sessions/sign-in";
import { type AppError, isAppError } from "@/server/errors";

/** One try to sign in by password. next-auth knows right and wrong only; what else came of it is kept here. */
export class CredentialsSignIn {
  /** Why it could not be decided: too many tries, or a database that is away. */
  refusal: AppError | null = null;
  readonly provider;

  constructor(hub: Hub, address: string | null) {
    this.provider = Credentials({
      id: "credentials",
      credentials: { email: { label: "E-mail", type: "email" }, password: { label: "Password", type: "password" } },
      authorize: async (given) => {
        const { email, password } = given ?? {};
        if (typeof email !== "string" || typeof password !== "string") return null;
        try {
          const signed = await signIn(hub, { email, password }, address);
          return signed && ({ id: String(signed.id), email: signed.email, version: signed.session_version } as User);
        } catch (error) {
          this.refusal = isAppError(error) ? error : toServiceUnavailable(error);
          if (!this.refusal) throw error;
          return null;
        }
      },
    });
  }

  /** What the cookie says of somebody whom `authorize` let in. */
  static claimsOf(user: User) {
    const { id, email, version } = user as User & { version: number };
    return { sub: id, email, version };
  }
}
