import { router } from "../procedure";
import { accounts } from "./accounts";
import { announcement } from "./announcement";
import { auditLog } from "./audit-log";
import { books } from "./books";
import { catalogue } from "./catalogue";
import { payments } from "./payments";
import { providers } from "./providers";
import { samples } from "./samples";
import { state } from "./state";
import { tokens } from "./tokens";
import { views } from "./views";
import { vouchers } from "./vouchers";
import { workers } from "./workers";

/** The API of the operator's console, with a router for each of its pages. */
export const admin = router({
  accounts,
  announcement,
  auditLog,
  books,
  catalogue,
  payments,
  providers,
  samples,
  state,
  tokens,
  views,
  vouchers,
  workers,
});
