import { z } from "zod";
import type { Ctx, Permission } from "../context";
import type { Hub } from "../domain/hub";
import type { RateLimitBucket } from "../domain/rates";

/** The id of what a call is about. Any string is accepted: a malformed id is handled like an unknown one. */
export const byId = z.object({ id: z.string().max(200) });
type ItemInput<Shape> = z.ZodObject<Shape & typeof byId.shape>;

/** What an action declares beside its input. */
interface Declaration<Input, Result> {
  /** What the role of a person must allow; a key may do everything. */
  access: Permission;
  /** Against which limit it counts. */
  cost: RateLimitBucket;
  run: (ctx: Ctx<Hub>, input: Input) => Promise<Result>;
}

/** What programs do by REST and people do in the console in the same way: one declaration that both transports read. */
export interface Action<Schema extends z.ZodType | undefined, Result> extends Declaration<Parsed<Schema>, Result> {
  /** What a REST request has in its body. */
  body?: z.ZodObject;
  /** What the console sends: the same, and the id that REST has in the path. */
  input: Schema;
}
export type Parsed<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;

/** Returns an action that lists or creates something. */
export const defineAction = <Result, Body extends z.ZodObject | undefined = undefined>(
  action: Declaration<Parsed<Body>, Result> & { body?: Body },
): Action<Body, Result> => ({ ...action, input: action.body as Body });

/** Returns an action that is about one thing, which its `id` names. */
export const defineItemAction = <Result, Shape extends z.ZodRawShape = Record<never, never>>(
  action: Declaration<z.output<ItemInput<Shape>>, Result> & { body?: z.ZodObject<Shape> },
): Action<ItemInput<Shape>, Result> => ({
  ...action,
  input: (action.body ?? z.object({})).extend(byId.shape) as ItemInput<Shape>,
});
