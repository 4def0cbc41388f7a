/** The error codes of RFC 6749, 7591 and 8707 that the hub uses. */
type OAuthErrorCode =
  | "access_denied"
  | "invalid_client"
  | "invalid_client_metadata"
  | "invalid_grant"
  | "invalid_redirect_uri"
  | "invalid_request"
  | "invalid_target"
  | "unsupported_grant_type"
  | "unsupported_response_type";

/** An OAuth error, whose message the client and the person may read. */
export class OAuthError extends Error {
  override readonly name = "OAuthError";
  constructor(
    readonly code: OAuthErrorCode,
    message: string,
  ) {
    super(message);
  }
}

export const isOAuthError = (error: unknown): error is OAuthError => error instanceof OAuthError;
